/**
 * Runs tests and ends with one line of counts: `node scripts/test.ts` runs the checks and the integration tests, `node
 * scripts/test.ts faults` the tests that need more time. Further arguments are passed to vitest.
 */
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { repository, run } from "./Command.ts"
import { audit } from "./run/Audit.ts"
import { type Figures, parseTaskFigures, readFigures, sum } from "./run/Figures.ts"
import { judgeSkip } from "./run/Skips.ts"

const [tier, ...given] = process.argv.slice(2)

const say = (text: string) => process.stdout.write(`${text}\n`)

const timed = async (part: string, figures: () => Promise<Figures>): Promise<Figures> => {
  const start = performance.now()
  const found = await figures()
  const seconds = ((performance.now() - start) / 1000).toFixed(0)
  say(
    `${found.failed === 0 ? "ok    " : "FAILED"} ${part}: ${found.passed} passed, ${found.failed} failed, ${seconds} s`
  )
  return found
}

const getReportFile = (project: string) => join(repository, "artifacts", `${project}.json`)

/** The checks of `pnpm check`. The unit tests are one of its tasks; their tests are counted singly. */
const checks = async (): Promise<Figures> => {
  const report = getReportFile("unit")
  await rm(report, { force: true })
  const { code, output } = await run("pnpm", ["run", "check"], { cwd: repository, show: true })
  const tasks = parseTaskFigures(output)
  const unit = await readFigures(report)
  const others =
    unit.failed === 0
      ? { ...tasks, passed: tasks.passed - 1 }
      : {
          ...tasks,
          failed: Math.max(0, tasks.failed - 1),
          failures: tasks.failures.filter((task) => task !== "check:unit")
        }
  const all = sum([others, unit])
  return code === 0 || all.failed > 0 ? all : { ...all, failed: 1 }
}

const advisories = async (): Promise<Figures> => {
  const finding = await audit(repository)
  if (!finding.passed) say(finding.output)
  else if (finding.skipped !== undefined) say(`skipped advisories on the dependencies: ${finding.skipped}`)
  return {
    passed: finding.passed && finding.skipped === undefined ? 1 : 0,
    failed: finding.passed ? 0 : 1,
    failures: [],
    skipped: []
  }
}

const projects =
  (...names: readonly [string, ...ReadonlyArray<string>]) =>
  async (): Promise<Figures> => {
    const report = getReportFile(names[0])
    await rm(report, { force: true })
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile=${report}`]
    const { code } = await run("vitest", ["run", ...names.map((name) => `--project=${name}`), ...reporters, ...given], {
      cwd: repository,
      show: true
    })
    const figures = await readFigures(report)
    return code === 0 || figures.failed > 0 ? figures : { ...figures, failed: 1 }
  }

const parts =
  tier === "faults"
    ? [await timed("faults", projects("faults", "measured"))]
    : [
        await timed("checks and unit tests", checks),
        await timed("advisories", advisories),
        await timed("integration tests", projects("integration"))
      ]
const { failed, failures, passed, skipped } = sum(parts)
const skips = skipped.map((test) => ({ test, ...judgeSkip(test, process.env) }))
for (const { isUnjustified, reason, test } of skips)
  say(`${isUnjustified ? "FAILED: skipped" : "skipped"} ${test}: ${reason}`)
for (const failure of failures) say(`FAILED ${failure}`)
const unjustified = skips.filter(({ isUnjustified }) => isUnjustified).length
say(`${passed} passed, ${failed + unjustified} failed, ${skips.length - unjustified} skipped`)
process.exitCode = failed + unjustified === 0 ? 0 : 1
