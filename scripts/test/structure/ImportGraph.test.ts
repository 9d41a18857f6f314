import { dirname } from "node:path"
import { assert, describe, it } from "vitest"
import { serverFolders } from "../../Directions.ts"
import { findCycles, type ImportGraph, reachable, readImports, toFolders } from "../../ImportGraph.ts"

const graph = (imports: Readonly<Record<string, ReadonlyArray<string>>>): ImportGraph =>
  new Map(Object.entries(imports).map(([file, targets]) => [file, new Set(targets)]))

describe("an import graph", () => {
  it("has the imports of a cycle, and none besides", () => {
    const files = graph({ "a.ts": ["b.ts"], "b.ts": ["c.ts"], "c.ts": ["b.ts"], "d.ts": ["a.ts"] })
    assert.deepStrictEqual(findCycles(files), ["b.ts -> c.ts", "c.ts -> b.ts"])
    assert.deepStrictEqual([...reachable(files, "b.ts")].toSorted(), ["b.ts", "c.ts"])
  })

  it("has cycles of folders whose files have none", () => {
    const files = graph({ "one/a.ts": ["two/b.ts"], "two/b.ts": [], "two/c.ts": ["one/d.ts"], "one/d.ts": [] })
    assert.deepStrictEqual(findCycles(files), [])
    assert.deepStrictEqual(findCycles(toFolders(files)), ["one -> two", "two -> one"])
  })
})

describe("the directions between the folders of the server", () => {
  it("allow no import that no file has", () => {
    const files = [...readImports("apps/server/src")]
    const names = Object.keys(serverFolders).toSorted((one, other) => other.length - one.length)
    const toFolder = (file: string) => names.find((name) => file.startsWith(`${name}/`))
    // The linter matches a folder's name at any depth: dex/index/store counts as store.
    const used = new Set(
      files.flatMap(([file, targets]) =>
        [...targets].flatMap((target) =>
          dirname(target)
            .split("/")
            .map((part) => `${toFolder(file)} -> ${part}`)
        )
      )
    )
    const allowed = Object.entries(serverFolders).flatMap(([name, { imports }]) =>
      imports.map((other) => `${name} -> ${other}`)
    )
    assert.deepStrictEqual(
      allowed.filter((direction) => !used.has(direction)),
      []
    )
  })
})

describe.each([
  ["apps/server", 300],
  ["apps/demo", 100],
  ["apps/sandbox", 50],
  ["packages/core", 100],
  ["packages/cex", 5],
  ["packages/dex", 5],
  ["packages/blocks", 5],
  ["packages/contract", 5]
] as const)("the source of %s", (workspace, fewest) => {
  const files = readImports(`${workspace}/src`)

  it("has no cycle of folders", () => {
    assert.isAbove(files.size, fewest)
    assert.deepStrictEqual(findCycles(toFolders(files)), [])
  })

  it("has at most 15 files side by side", () => {
    const folders = Map.groupBy(files.keys(), (file) => dirname(file))
    const large = [...folders].filter(([, inside]) => inside.length > 15).map(([folder]) => folder)
    assert.deepStrictEqual(large, [])
  })
})
