/** Runs every check and every test, and ends with one line of figures. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { audit } from "./Audit.ts"
import { checks } from "./Checks.ts"
import { repository, run } from "./Command.ts"
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
  typeof value === "object" && value !== null && "passed" in value && "failed" in value && "skipped" in value

const runTests = async (folder: string): Promise<Tally> => {
  const file = join(folder, "tally.json")
  const start = performance.now()
  const reporters = ["--reporter=default", `--reporter=${join(repository, "scripts", "Tally.ts")}`]
  const { code } = await run("vitest", ["run", ...reporters], {
    cwd: repository,
    env: { [tallyFile]: file },
    show: true
  })
  const tally: unknown = JSON.parse(await readFile(file, "utf8").catch(() => "null"))
  if (!isTally(tally)) {
    say("FAILED tests (vitest): they ended without their figures")
    return { passed: 0, failed: 1, skipped: [] }
  }
  say(`${code === 0 ? "ok    " : "FAILED"} tests (vitest), ${seconds(start)}`)
  // A run that fails although no test did, and one that finds no test, are failures too.
  const unnoticed = tally.failed === 0 && (code !== 0 || tally.passed === 0) ? 1 : 0
  return { ...tally, failed: tally.failed + unnoticed }
}

const ofChecks = await runChecks()
const ofTests = await inTemporaryFolder("tally", runTests)
const skips = ofTests.skipped.map((skip) => judgeSkip(skip, process.env))
for (const { reason, test, unjustified } of skips) {
  say(`${unjustified ? "FAILED: skipped" : "skipped"} ${test}: ${reason}`)
}
const unjustified = skips.filter((skip) => skip.unjustified).length
const failures = ofChecks.failed + ofTests.failed + unjustified
say(
  `${ofChecks.passed + ofTests.passed} passed, ${failures} failed, ${skips.length - unjustified + ofChecks.skipped} skipped`
)
process.exitCode = failures === 0 ? 0 : 1
