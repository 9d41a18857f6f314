import { configDefaults, defineConfig } from "vitest/config"

const conditions = ["chaintape-source", "node", "import", "module", "default"]

const folders = ["packages/*/test", "apps/*/test", "examples/test", "scripts/test"]
const named = (suffix: string) => folders.map((folder) => `${folder}/**/*${suffix}`)

/** Files that run a few of their cases in `pnpm test`, and many of them in `pnpm test:faults`. */
const generated = [
  "apps/server/test/accounts/Isolation.integration.test.ts",
  "apps/server/test/blocks/live/BlockLives.test.ts",
  "apps/server/test/cex/live/TradeLives.test.ts",
  "apps/server/test/cex/tape/RecorderLives.test.ts",
  "apps/server/test/cex/tape/RecorderOverlap.test.ts",
  "apps/server/test/dex/AgainstChain.integration.test.ts",
  "apps/server/test/dex/AnsweredAgain.integration.test.ts",
  "apps/server/test/dex/Faults.integration.test.ts",
  "apps/server/test/dex/Killed.integration.test.ts",
  "apps/server/test/dex/Recorded.integration.test.ts",
  "apps/server/test/dex/index/Reorgs.test.ts",
  "apps/server/test/dex/index/Simulation.integration.test.ts",
  "apps/server/test/dex/index/SqlIndex.integration.test.ts",
  "apps/server/test/dex/live/SwapLives.test.ts",
  "apps/server/test/http/Fuzz.integration.test.ts",
  "apps/server/test/keys/Throttles.integration.test.ts"
]

const globalSetup = ["apps/server/test/PreparedStore.ts"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // What a passing test prints is noise.
    silent: "passed-only",
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: named(".test.ts"),
          exclude: [...configDefaults.exclude, "**/*.integration.test.ts"],
          isolate: false,
          testTimeout: 30_000
        }
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: named(".integration.test.ts"),
          globalSetup,
          testTimeout: 120_000,
          hookTimeout: 180_000
        }
      },
      {
        extends: true,
        test: {
          name: "faults",
          include: [...named(".faults.ts"), ...generated],
          env: { CHAINTAPE_CASES: "many" },
          globalSetup,
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 240_000
        }
      }
    ]
  }
})
