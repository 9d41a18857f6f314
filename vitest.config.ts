import { defineConfig } from "vitest/config"

const conditions = ["chaintape-source", "node", "import", "module", "default"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "apps/*/test/**/*.test.ts",
      "examples/test/**/*.test.ts",
      "scripts/**/*.test.ts"
    ],
    // What a passing test prints is noise.
    silent: "passed-only",
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
