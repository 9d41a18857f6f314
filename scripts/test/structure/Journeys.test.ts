import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { repository } from "../../Command.ts"
import { reachable, readImports } from "../../ImportGraph.ts"

interface Journey {
  readonly name: string
  /** The files of each stage, in the order of the journey: paths below `apps/server/src`. */
  readonly stages: ReadonlyArray<ReadonlyArray<string>>
}

/** The files of a cell: folders in backticks, each followed by the files in it. */
const readFiles = (cell: string): ReadonlyArray<string> =>
  cell.split(";").flatMap((part) => {
    const [, folder = "", names = ""] = /`([^`]+)\/`\s+(.+)/.exec(part) ?? []
    return names.split(",").map((file) => `${folder}/${file.trim()}.ts`)
  })

/** The journeys of ARCHITECTURE.md that end with a table of stages and their files. */
const readJourneys = (text: string): ReadonlyArray<Journey> =>
  [...text.matchAll(/\n\*\*([^*]+)\*\*[^*]*?\n\| Stage +\| Files +\|\n\|[- |]+\n((?:\|.*\n)+)/g)].map(
    ([, name = "", rows = ""]) => ({
      name,
      stages: rows
        .trim()
        .split("\n")
        .map((row) => readFiles(row.split("|")[2] ?? ""))
    })
  )

const imports = readImports("apps/server/src")

const toImports = (file: string): ReadonlySet<string> => imports.get(file) ?? new Set()

/** The ports that journeys pass, with the layers that implement them: App.ts composes these, so that no user imports them. */
const layersOfPorts = new Map([
  ["cex/TradeFlow.ts", ["cex/ccxt/CcxtTradeFlow.ts"]],
  ["cex/tape/Tape.ts", ["cex/tape/store/SqlTape.ts", "cex/tape/store/SqlTapeReads.ts"]],
  ["dex/index/store/EntityStore.ts", ["dex/index/store/SqlEntityStore.ts"]]
])

/** Whether a file imports another one, or the port of which that is a layer. */
const uses = (file: string, other: string): boolean =>
  toImports(file).has(other) ||
  [...layersOfPorts].some(([port, layers]) => layers.includes(other) && toImports(file).has(port))

const areConnected = (one: string, other: string): boolean => uses(one, other) || uses(other, one)

/** The files that imports among these connect with the first one, in either direction. */
const connectedWithFirst = (files: ReadonlyArray<string>): ReadonlySet<string> => {
  const edges = new Map(files.map((file) => [file, new Set(files.filter((other) => areConnected(file, other)))]))
  return reachable(edges, files[0] ?? "")
}

/** The files outside the part of the journey to which the first one belongs. */
const findIslands = (files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const connected = connectedWithFirst(files)
  return files.filter((file) => !connected.has(file))
}

/** The stages without a file that uses one of the stages before, or is used by it. */
const findDetachedStages = (stages: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<ReadonlyArray<string>> =>
  stages.filter((stage, at) => {
    const before = stages.slice(0, at).flat()
    return at > 0 && !stage.some((file) => before.some((other) => areConnected(file, other)))
  })

/** The most files that a journey passes through. */
const longest = new Map([
  ["A request", 31],
  ["From an exchange to the tape", 21],
  ["From a chain to the index", 40]
])

describe("the journeys of ARCHITECTURE.md", () => {
  const journeys = readJourneys(readFileSync(join(repository, "ARCHITECTURE.md"), "utf8"))

  it("are three that name their files, and grow no longer", () => {
    assert.deepStrictEqual(
      journeys.map(({ name }) => name),
      [...longest.keys()]
    )
    for (const { name, stages } of journeys) assert.isAtMost(stages.flat().length, longest.get(name) ?? 0, name)
  })

  it("pass ports that their layers implement", () => {
    for (const [port, layers] of layersOfPorts)
      for (const layer of layers) assert.isTrue(toImports(layer).has(port), `${layer} of ${port}`)
  })

  for (const { name, stages } of journeys) {
    const files = stages.flat()

    it(`name files that exist, each once: ${name}`, () => {
      assert.isAbove(files.length, 20)
      assert.deepStrictEqual(
        files.filter((file) => !imports.has(file)),
        []
      )
      assert.strictEqual(new Set(files).size, files.length)
    })

    it(`are one graph of imports, in which each stage continues those before it: ${name}`, () => {
      assert.deepStrictEqual(findIslands(files), [])
      assert.deepStrictEqual(findDetachedStages(stages), [])
    })
  }
})
