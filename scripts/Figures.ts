import { readFile } from "node:fs/promises"
import * as Schema from "effect/Schema"

/** What a run counts: checks and tests. */
export interface Figures {
  readonly passed: number
  readonly failed: number
  /** The full names of the tests that were skipped. */
  readonly skipped: ReadonlyArray<string>
}

/** The parts that are read of the report that vitest writes with `--reporter=json`. */
const Report = Schema.fromJsonString(
  Schema.Struct({
    success: Schema.Boolean,
    testResults: Schema.Array(
      Schema.Struct({
        status: Schema.String,
        assertionResults: Schema.Array(Schema.Struct({ fullName: Schema.String, status: Schema.String }))
      })
    )
  })
)

const unread: Figures = { passed: 0, failed: 1, skipped: [] }

/**
 * The figures of a report. A file that does not load has no test to fail: it counts as one failure, as does an error that
 * belongs to no test, and a run without a report or without a passed test.
 */
export const figuresOf = (text: string): Figures => {
  const report = Schema.decodeOption(Report)(text)
  if (report._tag === "None") return unread
  const { success, testResults } = report.value
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const count = (status: string) => tests.filter((test) => test.status === status).length
  const unloaded = testResults.filter(
    ({ assertionResults, status }) => status === "failed" && assertionResults.every((test) => test.status !== "failed")
  ).length
  const passed = count("passed")
  const failed = count("failed") + unloaded
  const isRed = !success || passed === 0
  return {
    passed,
    failed: isRed ? Math.max(1, failed) : failed,
    skipped: tests.flatMap(({ fullName, status }) => (status === "passed" || status === "failed" ? [] : [fullName]))
  }
}

export const readFigures = async (file: string): Promise<Figures> =>
  figuresOf(await readFile(file, "utf8").catch(() => ""))

/** The figures of turbo's last lines. What was not reached because of another failure has failed. */
export const figuresOfTasks = (output: string): Figures => {
  const [, successful, total] = /Tasks: +(\d+) successful, (\d+) total/.exec(output) ?? []
  if (successful === undefined || total === undefined || total === "0") return unread
  return { passed: Number(successful), failed: Number(total) - Number(successful), skipped: [] }
}

export const sum = (all: ReadonlyArray<Figures>): Figures => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
  skipped: all.flatMap(({ skipped }) => skipped)
})
