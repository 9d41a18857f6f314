import { readFile } from "node:fs/promises"
import { relative } from "node:path"
import * as Schema from "effect/Schema"
import { repository } from "../Command.ts"

/** The counts of a run: checks and tests. */
export interface Figures {
  readonly passed: number
  readonly failed: number
  /** Each failed test by file and full name, with the first line of its message. */
  readonly failures: ReadonlyArray<string>
  /** The full names of the skipped tests. */
  readonly skipped: ReadonlyArray<string>
}

const AssertionResult = Schema.Struct({
  fullName: Schema.String,
  status: Schema.String,
  failureMessages: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String)))
})
type AssertionResult = typeof AssertionResult.Type

/** The decoded parts of the report that vitest writes with `--reporter=json`. */
const Report = Schema.fromJsonString(
  Schema.Struct({
    success: Schema.Boolean,
    testResults: Schema.Array(
      Schema.Struct({
        name: Schema.String,
        status: Schema.String,
        assertionResults: Schema.Array(AssertionResult)
      })
    )
  })
)

const unread: Figures = { passed: 0, failed: 1, failures: [], skipped: [] }

const toFailure = (file: string) => (test: AssertionResult) =>
  [file, test.fullName, ...(test.failureMessages ?? []).slice(0, 1).map((message) => message.split("\n", 1)[0])].join(
    ": "
  )

/**
 * The counts of a report. A file that does not load counts as one failure, as does an error outside of any test, and a
 * run without a report or without a passed test.
 */
export const parseFigures = (text: string): Figures => {
  const report = Schema.decodeOption(Report)(text)
  if (report._tag === "None") return unread
  const { success, testResults } = report.value
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  const skipped = tests.filter(({ status }) => status !== "passed" && status !== "failed")
  const passed = tests.filter(({ status }) => status === "passed").length
  const failures = testResults.flatMap(({ assertionResults, name, status }) => {
    const file = relative(repository, name)
    const failed = assertionResults.filter((test) => test.status === "failed")
    return status === "failed" && failed.length === 0 ? [`${file}: does not load`] : failed.map(toFailure(file))
  })
  const isRed = !success || passed === 0
  return {
    passed,
    failed: isRed ? Math.max(1, failures.length) : failures.length,
    failures,
    skipped: skipped.map(({ fullName }) => fullName)
  }
}

export const readFigures = async (file: string): Promise<Figures> =>
  parseFigures(await readFile(file, "utf8").catch(() => ""))

/** The counts from turbo's last lines. A task that did not run because another failed counts as failed. */
export const parseTaskFigures = (output: string): Figures => {
  const [, successful, total] = /Tasks: +(\d+) successful, (\d+) total/.exec(output) ?? []
  if (successful === undefined || total === undefined || total === "0") return unread
  const [, failed = ""] = /Failed: +(.+)/.exec(output) ?? []
  return {
    passed: Number(successful),
    failed: Number(total) - Number(successful),
    failures: failed.match(/check:[\w-]+/g) ?? [],
    skipped: []
  }
}

export const sum = (all: ReadonlyArray<Figures>): Figures => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
  failures: all.flatMap(({ failures }) => failures),
  skipped: all.flatMap(({ skipped }) => skipped)
})
