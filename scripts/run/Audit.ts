import { type Finished, run } from "../Command.ts"

/** The high and critical advisories, or the reason why the registry cannot be read. */
export type AuditFinding =
  | { readonly passed: true; readonly skipped?: string }
  | { readonly passed: false; readonly output: string }

/** Errors of the registry, or of the connection to it, after which nothing is known about a dependency. */
const unanswered =
  /AUDIT_BAD_RESPONSE|AUDIT_ENDPOINT|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|fetch failed/i

/** Decodes the output of `pnpm audit`. */
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

/** Queries the registry for advisories on the dependencies of the service. */
export const audit = async (root: string): Promise<AuditFinding> =>
  judgeAudit(await run("pnpm", ["audit", "--prod", "--audit-level=high"], { cwd: root }))
