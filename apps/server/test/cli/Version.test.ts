import { readFile } from "node:fs/promises"
import { assert, describe, it } from "@effect/vitest"
import { version } from "../../src/cli/terminal/version.ts"

const packages = ["core", "cex", "dex", "blocks"]

describe("the version that the command line prints", () => {
  it("is the one that the packages share", async () => {
    for (const name of packages) {
      const manifest = await readFile(new URL(`../../../../packages/${name}/package.json`, import.meta.url), "utf8")
      assert.include(manifest, `"version": "${version}"`, name)
    }
  })
})
