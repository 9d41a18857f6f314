import { writeFileSync } from "node:fs"
import type { Reporter, SerializedError, TestModule } from "vitest/node"

export interface Skip {
  readonly test: string
  /** What the test gave as its reason to `context.skip`; empty where it gave none. */
  readonly note: string
}

/** The figures of a run of the tests. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: ReadonlyArray<Skip>
}

/** Names the file that the figures are written to. */
export const tallyFile = "CHAINTAPE_TALLY"

/** A reporter that writes the figures of the run to a file. */
export default class TallyReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<SerializedError>) {
    let passed = 0
    let failed = errors.length
    const skipped: Array<Skip> = []
    for (const module of modules) {
      // A file that does not load has no tests to fail.
      if (module.errors().length > 0) failed += 1
      for (const test of module.children.allTests()) {
        const result = test.result()
        if (result.state === "passed") passed += 1
        else if (result.state === "skipped") {
          skipped.push({ test: `${module.relativeModuleId} > ${test.fullName}`, note: result.note ?? "" })
        } else failed += 1
      }
    }
    const target = process.env[tallyFile]
    if (target !== undefined) writeFileSync(target, JSON.stringify({ passed, failed, skipped } satisfies Tally))
  }
}
