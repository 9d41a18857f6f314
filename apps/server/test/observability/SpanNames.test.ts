import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const source = fileURLToPath(new URL("../../src", import.meta.url))

const findAll = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map(([, name = ""]) => name)

/** The spans of each file, and their owners: the file, and the services that it makes. */
const files = globSync("**/*.ts", { cwd: source }).map((file) => {
  const text = readFileSync(join(source, file), "utf8")
  return {
    file,
    names: findAll(text, /Effect\.fn\(\s*"([^"]*)"/g),
    owners: [basename(file, ".ts"), ...findAll(text, /\bLayer\.(?:effect|succeed|sync)\(\s*(\w+)/g)]
  }
})

describe("the name of a span", () => {
  it("is that of its owner and of its method, such as Trades.read", () => {
    const names = files.flatMap((file) => file.names)
    assert.isAbove(names.length, 100)
    assert.deepStrictEqual(
      names.filter((name) => !/^[A-Z]\w*\.[a-z]\w*$/.test(name)),
      []
    )
  })

  it("names the file or a service that the file makes", () => {
    assert.deepStrictEqual(
      files.flatMap(({ file, names, owners }) =>
        names.filter((name) => !owners.includes(name.split(".")[0] ?? "")).map((name) => `${file}: ${name}`)
      ),
      []
    )
  })
})
