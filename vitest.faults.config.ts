import { defineConfig } from "vitest/config"

const conditions = ["chaintape-source", "node", "import", "module", "default"]

/** What production does to the service: minutes of it, with processes of its own. Not a part of `pnpm test`. */
export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["apps/server/test/faults/**/*.faults.ts"],
    fileParallelism: false,
    reporters: ["verbose"],
    testTimeout: 240_000,
    hookTimeout: 240_000
  }
})
