import { configDefaults, defineConfig } from "vitest/config"

const conditions = ["chaintape-source", "node", "import", "module", "default"]

const tests = [
  "packages/*/test/**/*.test.ts",
  "apps/*/test/**/*.test.ts",
  "examples/test/**/*.test.ts",
  "scripts/**/*.test.ts"
]

/** Tests that measure time, or keep the whole machine busy: one file at a time, apart from all others. */
const alone = [
  "apps/server/test/StartCommand.integration.test.ts",
  "apps/server/test/browser/**/*.test.ts",
  "apps/server/test/cex/BulkAnswers.integration.test.ts",
  "apps/server/test/cex/tape/RecordingFaults.integration.test.ts",
  "apps/server/test/cli/**/*.integration.test.ts",
  "apps/server/test/dex/Killed.integration.test.ts",
  "apps/server/test/dex/Faults.integration.test.ts",
  "apps/server/test/http/Load.integration.test.ts",
  "apps/server/test/keys/KeyTiming.integration.test.ts"
]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // What a passing test prints is noise.
    silent: "passed-only",
    testTimeout: 120_000,
    hookTimeout: 180_000,
    projects: [
      {
        extends: true,
        test: {
          name: "together",
          include: tests,
          exclude: [...configDefaults.exclude, ...alone],
          sequence: { groupOrder: 0 }
        }
      },
      { extends: true, test: { name: "alone", include: alone, fileParallelism: false, sequence: { groupOrder: 1 } } }
    ]
  }
})
