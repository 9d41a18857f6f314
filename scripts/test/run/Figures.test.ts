import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { repository } from "../../Command.ts"
import { parseFigures, parseTaskFigures, sum } from "../../run/Figures.ts"

const test = (fullName: string, status: string, ...failureMessages: ReadonlyArray<string>) => ({
  fullName,
  status,
  failureMessages
})

const report = (
  success: boolean,
  ...files: ReadonlyArray<{ readonly status: string; readonly assertionResults: ReadonlyArray<object> }>
) =>
  JSON.stringify({
    success,
    testResults: files.map((file, at) => ({ name: join(repository, `test/${at}.test.ts`), ...file }))
  })

describe("the figures of a report", () => {
  it("count what passed, and name what failed and what was skipped", () => {
    const tests = [
      test("works", "passed"),
      test("fails", "failed", "1 is not 2\n  at a line"),
      test("needs REDIS_URL", "skipped")
    ]
    assert.deepStrictEqual(parseFigures(report(false, { status: "failed", assertionResults: tests })), {
      passed: 1,
      failed: 1,
      failures: ["test/0.test.ts: fails: 1 is not 2"],
      skipped: ["needs REDIS_URL"]
    })
  })

  it("count a file that does not load, besides the failures of others", () => {
    const text = report(
      false,
      { status: "failed", assertionResults: [] },
      { status: "failed", assertionResults: [test("fails", "failed"), test("works", "passed")] }
    )
    assert.deepStrictEqual(parseFigures(text), {
      passed: 1,
      failed: 2,
      failures: ["test/0.test.ts: does not load", "test/1.test.ts: fails"],
      skipped: []
    })
  })

  it("count an error that belongs to no test", () => {
    const text = report(false, { status: "passed", assertionResults: [test("works", "passed")] })
    assert.deepStrictEqual(parseFigures(text), { passed: 1, failed: 1, failures: [], skipped: [] })
  })

  it("count a run that found no test, and one that wrote no report", () => {
    for (const text of [report(true), "", "{}"]) assert.strictEqual(parseFigures(text).failed, 1, text)
  })
})

describe("the figures of turbo", () => {
  it("count a task that was not reached as failed", () => {
    const output =
      " Tasks:    9 successful, 12 total\nCached:    4 cached, 12 total\n  Time:    1.2s\nFailed:    //#check:lint, //#check:unit\n"
    assert.deepStrictEqual(parseTaskFigures(output), {
      passed: 9,
      failed: 3,
      failures: ["check:lint", "check:unit"],
      skipped: []
    })
  })

  it("count a run without its last lines, or without a task", () => {
    for (const output of ["", "could not find task", " Tasks:    0 successful, 0 total\n"])
      assert.strictEqual(parseTaskFigures(output).failed, 1)
  })
})

describe("the sum of figures", () => {
  it("adds the counts and the names", () => {
    const one = { passed: 2, failed: 1, failures: ["b"], skipped: ["a"] }
    assert.deepStrictEqual(sum([one, one]), { passed: 4, failed: 2, failures: ["b", "b"], skipped: ["a", "a"] })
  })
})
