import { type Check, failed, passed, skipped } from "./Check.ts"
import { type Finished, run } from "./Command.ts"

/** What a registry, or the way to it, says where nothing can be learned of a dependency. */
const unanswered =
  /AUDIT_BAD_RESPONSE|AUDIT_ENDPOINT|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|fetch failed/i

/** What `pnpm audit` found out. */
export const judgeAudit = ({ code, output }: Finished) => {
  if (code === 0) return passed
  if (!unanswered.test(output)) return failed(output)
  const [, status] = /responded with (\d{3})/.exec(output) ?? []
  return skipped(
    status === undefined
      ? "the registry cannot be asked for advisories"
      : `the registry answers ${status} to the question for advisories`
  )
}

/** Whether what the service runs on has known holes that are high or critical. */
export const audit: Check = {
  title: "advisories on the dependencies (pnpm audit)",
  judge: async (root) => judgeAudit(await run("pnpm", ["audit", "--prod", "--audit-level=high"], { cwd: root }))
}
