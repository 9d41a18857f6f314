import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const source = fileURLToPath(new URL("../../src", import.meta.url))

const names = globSync("**/*.ts", { cwd: source }).flatMap((file) =>
  [...readFileSync(join(source, file), "utf8").matchAll(/Effect\.fn\(\s*"([^"]*)"/g)].map(([, name = ""]) => name)
)

describe("the name of a span", () => {
  it("is that of its owner and of its method, such as Trades.read", () => {
    assert.isAbove(names.length, 100)
    assert.deepStrictEqual(
      names.filter((name) => !/^[A-Z]\w*\.[a-z]\w*$/.test(name)),
      []
    )
  })
})
