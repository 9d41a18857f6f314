import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { repository } from "../../Command.ts"
import { readImports } from "../../ImportGraph.ts"

interface Journey {
  readonly name: string
  /** Paths below `apps/server/src`, in the order of the journey. */
  readonly files: ReadonlyArray<string>
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
      files: rows
        .trim()
        .split("\n")
        .flatMap((row) => readFiles(row.split("|")[2] ?? ""))
    })
  )

const imports = readImports("apps/server/src")

const toImports = (file: string): ReadonlySet<string> => imports.get(file) ?? new Set()

/** Whether one imports the other. */
const areConnected = (one: string, other: string): boolean => toImports(one).has(other) || toImports(other).has(one)

const isConnected = (file: string, files: ReadonlyArray<string>): boolean =>
  files.some((other) => other !== file && areConnected(file, other))

/** The most files that a journey passes through. */
const longest = new Map([
  ["A request", 32],
  ["From an exchange to the tape", 21],
  ["From a chain to the index", 41]
])

describe("the journeys of ARCHITECTURE.md", () => {
  const journeys = readJourneys(readFileSync(join(repository, "ARCHITECTURE.md"), "utf8"))

  it("are three that name their files, and grow no longer", () => {
    assert.deepStrictEqual(
      journeys.map(({ name }) => name),
      [...longest.keys()]
    )
    for (const { files, name } of journeys) assert.isAtMost(files.length, longest.get(name) ?? 0, name)
  })

  for (const { files, name } of journeys) {
    it(`name files that exist and are connected by imports: ${name}`, () => {
      assert.isAbove(files.length, 20)
      assert.deepStrictEqual(
        files.filter((file) => !imports.has(file)),
        []
      )
      assert.deepStrictEqual(
        files.filter((file) => !isConnected(file, files)),
        []
      )
      assert.strictEqual(new Set(files).size, files.length)
    })
  }
})
