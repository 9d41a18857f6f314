/** The paths of the pages of accounts. */
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

/** The template of a path of accounts. */
export const accountTemplateOf = (path: string): string | undefined =>
  templates.find(({ pattern }) => pattern.test(path))?.path

/** Whether the path takes forms, by POST. */
export const takesForms = (path: string): boolean => {
  const template = accountTemplateOf(path)
  return template !== undefined && !readOnly.includes(template)
}
