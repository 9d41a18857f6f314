/** Runs every check and every test, and ends with one line of figures. */
import { readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { audit } from "./Audit.ts"
import { checks } from "./Checks.ts"
import { repository, run } from "./Command.ts"
import { secondRun, unsteady, withSecondRun } from "./SecondRun.ts"
import { judgeSkip } from "./Skips.ts"
import { type Tally, tallyFile } from "./Tally.ts"
import { inTemporaryFolder } from "./TemporaryFolder.ts"

const seconds = (start: number) => `${((performance.now() - start) / 1000).toFixed(1)} s`
const say = (text: string) => process.stdout.write(`${text}\n`)

/** The audit asks somebody else, and may be told nothing. */
const judged = [...checks, audit]

const runChecks = async () => {
  let failures = 0
  let skips = 0
  for (const check of judged) {
    const start = performance.now()
    const finding = await check.judge(repository)
    if (finding.passed && finding.skipped !== undefined) {
      skips += 1
      say(`skipped ${check.title}: ${finding.skipped}`)
      continue
    }
    say(`${finding.passed ? "ok    " : "FAILED"} ${check.title}, ${seconds(start)}`)
    if (finding.passed) continue
    failures += 1
    say(finding.output.trimEnd())
  }
  return { passed: judged.length - failures - skips, failed: failures, skipped: skips }
}

const isTally = (value: unknown): value is Tally =>
  typeof value === "object" && value !== null && "files" in value && "errors" in value

const runTests = async (folder: string, files: ReadonlyArray<string> = []): Promise<Tally> => {
  const file = join(folder, "tally.json")
  const start = performance.now()
  await rm(file, { force: true })
  const reporters = ["--reporter=default", `--reporter=${join(repository, "scripts", "Tally.ts")}`]
  const { code } = await run("vitest", ["run", ...reporters, ...files], {
    cwd: repository,
    env: { [tallyFile]: file },
    show: true
  })
  const tally: unknown = JSON.parse(await readFile(file, "utf8").catch(() => "null"))
  if (!isTally(tally)) {
    say("FAILED tests (vitest): they ended without their figures")
    return { files: [], errors: 1 }
  }
  say(`${code === 0 ? "ok    " : "FAILED"} tests (vitest), ${seconds(start)}`)
  const found = tally.files.some(({ passed }) => passed > 0)
  const noticed = tally.errors > 0 || tally.files.some(({ failed }) => failed.length > 0)
  // A run that fails although no test did, and one that finds no test, are failures too.
  return !noticed && (code !== 0 || !found) ? { ...tally, errors: 1 } : tally
}

const runTestsSteadily = async (folder: string): Promise<Tally> => {
  const first = await runTests(folder)
  const again = secondRun(first)
  if (again.length === 0) return first
  say(`a second run of what failed: ${again.join(", ")}`)
  const final = withSecondRun(first, await runTests(folder, again))
  for (const test of unsteady(first, final)) say(`unsteady: passed only in the second run: ${test}`)
  return final
}

const ofChecks = await runChecks()
const ofTests = await inTemporaryFolder("tally", runTestsSteadily)
const skips = ofTests.files.flatMap(({ skipped }) => skipped).map((skip) => judgeSkip(skip, process.env))
for (const { reason, test, unjustified } of skips) {
  say(`${unjustified ? "FAILED: skipped" : "skipped"} ${test}: ${reason}`)
}
const unjustified = skips.filter((skip) => skip.unjustified).length
const passes = ofTests.files.reduce((sum, { passed }) => sum + passed, ofChecks.passed)
const failedTests = ofTests.files.reduce((sum, { failed }) => sum + failed.length, ofTests.errors)
const failures = ofChecks.failed + failedTests + unjustified
say(`${passes} passed, ${failures} failed, ${skips.length - unjustified + ofChecks.skipped} skipped`)
process.exitCode = failures === 0 ? 0 : 1
