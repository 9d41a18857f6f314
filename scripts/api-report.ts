/**
 * Checks that the committed report of the public interface is the current one, and that a change of it comes with a release
 * note: one that is new or changed since the commit that `main` and this branch share. `--write` writes the report.
 */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { apiReport, reportFile } from "./ApiReport.ts"
import { run } from "./Command.ts"

const root = process.cwd()
const report = await apiReport(root)

/** The files that this branch and the work tree change. Empty where the branch `main` is not known or not left. */
const changedFiles = async (): Promise<ReadonlyArray<string>> => {
  const base = await run("git", ["merge-base", "HEAD", "main"], { cwd: root })
  if (base.code !== 0) return []
  const { code, output } = await run("git", ["diff", "--name-only", base.output.trim()], { cwd: root })
  const untracked = await run("git", ["ls-files", "--others", "--exclude-standard"], { cwd: root })
  return code === 0 ? `${output}\n${untracked.output}`.split("\n").map((line) => line.trim()) : []
}

const fail = (message: string) => {
  process.stdout.write(`${message}\n`)
  process.exitCode = 1
}

if (process.argv.includes("--write")) await writeFile(join(root, reportFile), report)
const committed = await readFile(join(root, reportFile), "utf8").catch(() => "")
if (committed !== report)
  fail(
    `The public interface has changed: run \`node scripts/api-report.ts --write\`, and look at what changed in ${reportFile}.`
  )
const changed = await changedFiles()
const hasNote = changed.some((file) => /^\.changeset\/.+\.md$/.test(file))
if (changed.includes(reportFile) && !hasNote)
  fail(`${reportFile} has changed without a release note: run \`pnpm exec changeset\`.`)
