/** The paths of the account pages. */
const accountPaths = [
  "/sign-up",
  "/sign-in",
  "/sign-out",
  "/reset-password",
  "/account",
  "/account/password",
  "/account/sign-out-everywhere",
  "/account/delete",
  "/dashboard",
  "/dashboard/new-key",
  "/dashboard/keys",
  "/dashboard/keys/:id/rotate",
  "/dashboard/keys/:id/revoke"
] as const

const readOnly: ReadonlyArray<string> = ["/account", "/dashboard", "/dashboard/new-key"]

const templates = accountPaths.map((path) => ({
  path,
  pattern: new RegExp(`^${path.replace(/:\w+/g, "[^/]+")}$`)
}))

/** The route template of an account path. */
export const toAccountTemplate = (path: string): string | undefined =>
  templates.find(({ pattern }) => pattern.test(path))?.path

/** Whether the path accepts forms, by POST. */
export const takesForms = (path: string): boolean => {
  const template = toAccountTemplate(path)
  return template !== undefined && !readOnly.includes(template)
}
