import { availableParallelism } from "node:os"
import { configDefaults, defineConfig } from "vitest/config"

const conditions = ["chaintape-source", "node", "import", "module", "default"]

const folders = ["packages/*/test", "apps/*/test", "examples/test", "scripts/test"]
const named = (suffix: string) => folders.map((folder) => `${folder}/**/*${suffix}`)

/** Files that run a few of their cases in `pnpm test`, and many of them in `pnpm test:faults`. */
const manyCases = [
  "apps/server/test/accounts/Isolation.integration.test.ts",
  "apps/server/test/blocks/live/BlockLives.test.ts",
  "apps/server/test/cex/live/TradeLives.test.ts",
  "apps/server/test/cex/tape/record/RecorderLives.test.ts",
  "apps/server/test/cex/tape/record/RecorderOverlap.test.ts",
  "apps/server/test/dex/AgainstChain.integration.test.ts",
  "apps/server/test/dex/CachedResponses.integration.test.ts",
  "apps/server/test/dex/Faults.integration.test.ts",
  "apps/server/test/dex/Killed.integration.test.ts",
  "apps/server/test/dex/Recorded.integration.test.ts",
  "apps/server/test/dex/index/run/LyingNodes.test.ts",
  "apps/server/test/dex/index/run/algebra/Algebra.integration.test.ts",
  "apps/server/test/dex/index/run/PancakeSwap.integration.test.ts",
  "apps/server/test/dex/index/run/Reorgs.test.ts",
  "apps/server/test/dex/index/run/pairs/UniswapV2.integration.test.ts",
  "apps/server/test/dex/index/accounting/Simulation.integration.test.ts",
  "apps/server/test/dex/index/store/SqlIndex.integration.test.ts",
  "apps/server/test/dex/live/SwapLives.test.ts",
  "apps/server/test/http/request/Fuzz.integration.test.ts",
  "apps/server/test/auth/limits/Throttles.integration.test.ts"
]

/** Fault tests that measure latencies, frames or memory, and therefore need the machine for themselves. */
const measured = [
  "apps/server/test/auth/keys/KeyTiming.faults.ts",
  "apps/server/test/browser/demo/DemoFigures.faults.ts",
  "apps/server/test/browser/demo/DemoStreaming.faults.ts",
  "apps/server/test/faults/Instances.faults.ts",
  "apps/server/test/http/BurstPacing.faults.ts",
  "apps/server/test/http/socket/Load.faults.ts",
  "apps/server/test/program/StartTimes.faults.ts"
]

const globalSetup = ["apps/server/test/PreparedStore.ts"]

/** An integration test starts programs of its own, often a service, a chain and a browser, which keep the processors busy. */
const startsPrograms = { isolate: false, maxWorkers: availableParallelism() }

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
          sequence: { groupOrder: 0 },
          testTimeout: 120_000
        }
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: named(".integration.test.ts"),
          globalSetup,
          ...startsPrograms,
          sequence: { groupOrder: 1 },
          testTimeout: 120_000,
          hookTimeout: 180_000
        }
      },
      {
        extends: true,
        test: {
          name: "faults",
          include: [...named(".faults.ts"), ...manyCases],
          exclude: [...configDefaults.exclude, ...measured],
          env: { CHAINTAPE_CASES: "many" },
          globalSetup,
          ...startsPrograms,
          sequence: { groupOrder: 2 },
          testTimeout: 240_000,
          hookTimeout: 240_000
        }
      },
      {
        extends: true,
        test: {
          name: "measured",
          include: measured,
          globalSetup,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
          testTimeout: 240_000,
          hookTimeout: 240_000
        }
      }
    ]
  }
})
