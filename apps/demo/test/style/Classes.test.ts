import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"

const source = join(import.meta.dirname, "..", "..", "src")

/** Tests in a browser find the charts of candles by it. */
const unstyled = "candles"

const readAll = (pattern: string): ReadonlyArray<readonly [file: string, text: string]> =>
  globSync(pattern, { cwd: source }).map((file) => [file, readFileSync(join(source, file), "utf8")])

describe("a class of an element", () => {
  it("is one of a style sheet", () => {
    const styled = new Set(
      readAll("**/*.css").flatMap(([, text]) => [...text.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name))
    )
    const unknown = readAll("**/*.tsx").flatMap(([file, text]) =>
      [...text.matchAll(/className="([^"]+)"/g)]
        .flatMap(([, names = ""]) => names.split(" "))
        .filter((name) => name !== unstyled && !styled.has(name))
        .map((name) => `${file}: ${name}`)
    )
    assert.deepStrictEqual(unknown, [])
  })
})
