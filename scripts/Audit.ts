import { type Finished, run } from "./Command.ts"

/** Advisories that are high or critical, none, or why the registry does not say. */
export type AuditFinding =
  | { readonly passed: true; readonly skipped?: string }
  | { readonly passed: false; readonly output: string }

/** What a registry, or the way to it, says where nothing can be learned of a dependency. */
const unanswered =
  /AUDIT_BAD_RESPONSE|AUDIT_ENDPOINT|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|fetch failed/i

/** Reads what `pnpm audit` found. */
export const judgeAudit = ({ code, output }: Finished): AuditFinding => {
  if (code === 0) return { passed: true }
  if (!unanswered.test(output)) return { passed: false, output }
  const [, status] = /responded with (\d{3})/.exec(output) ?? []
  const skipped =
    status === undefined
      ? "the registry cannot be asked for advisories"
      : `the registry answers ${status} to the question for advisories`
  return { passed: true, skipped }
}

/** Asks the registry for advisories on what the service runs on. */
export const audit = async (root: string): Promise<AuditFinding> =>
  judgeAudit(await run("pnpm", ["audit", "--prod", "--audit-level=high"], { cwd: root }))
