import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const server = fileURLToPath(new URL("../..", import.meta.url))

const readAll = (pattern: string, cwd: string): string =>
  globSync(pattern, { cwd })
    .map((file) => readFileSync(`${cwd}/${file}`, "utf8"))
    .join("\n")

describe("the names of metrics", () => {
  it("are all in the documentation", () => {
    const code = readAll("src/**/*.ts", server)
    const names = [...code.matchAll(/Metric\.\w+\(\s*"(chaintape_\w+)"/g)].map(([, name = ""]) => name)
    assert.isAbove(names.length, 15)
    const documentation = readAll("*.md", `${server}/../../docs`)
    assert.deepStrictEqual(
      names.filter((name) => !documentation.includes(`\`${name}\``)),
      []
    )
  })
})
