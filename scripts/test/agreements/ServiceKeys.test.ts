import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { assert, describe, it } from "vitest"
import { repository } from "../../Command.ts"

const source = join(repository, "apps", "server", "src")
const key = /"@chaintape\/server\/([\w./-]+)"/g

describe("the key of a service", () => {
  it("is the path of its file, or of its folder and its name", () => {
    const misplaced = globSync("**/*.ts", { cwd: source }).flatMap((file) => {
      const path = file.slice(0, -".ts".length)
      return [...readFileSync(join(source, file), "utf8").matchAll(key)]
        .map(([, name = ""]) => name)
        .filter((name) => name !== path && dirname(name) !== dirname(path))
        .map((name) => `${file}: ${name}`)
    })
    assert.deepStrictEqual(misplaced, [])
  })
})
