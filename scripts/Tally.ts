import { writeFileSync } from "node:fs"
import type { Reporter, SerializedError, TestModule } from "vitest/node"

export interface Skip {
  readonly test: string
  /** What the test gave as its reason to `context.skip`; empty where it gave none. */
  readonly note: string
}

/** The figures of one file of tests. */
export interface FileTally {
  readonly file: string
  readonly passed: number
  /** Names of the tests that failed; the file's own name where it does not load. */
  readonly failed: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<Skip>
}

/** The figures of a run of the tests. */
export interface Tally {
  readonly files: ReadonlyArray<FileTally>
  /** Failures that belong to no test. */
  readonly errors: number
}

/** Names the file that the figures are written to. */
export const tallyFile = "CHAINTAPE_TALLY"

const tallyOf = (module: TestModule): FileTally => {
  const file = module.relativeModuleId
  let passed = 0
  // A file that does not load has no tests to fail.
  const failed = module.errors().length > 0 ? [file] : []
  const skipped: Array<Skip> = []
  for (const test of module.children.allTests()) {
    const result = test.result()
    const name = `${file} > ${test.fullName}`
    if (result.state === "passed") passed += 1
    else if (result.state === "skipped") skipped.push({ test: name, note: result.note ?? "" })
    else failed.push(name)
  }
  return { file, passed, failed, skipped }
}

/** A reporter that writes the figures of the run to a file. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<SerializedError>) {
    const target = process.env[tallyFile]
    const tally: Tally = { files: modules.map(tallyOf), errors: errors.length }
    if (target !== undefined) writeFileSync(target, JSON.stringify(tally))
  }
}
