import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { assert, describe, it } from "vitest"
import { repository } from "../../Command.ts"
import { findMisplaced } from "./NamedFiles.ts"

const documents = ["ARCHITECTURE.md", "docs/where-does-it-go.md", "docs/journeys.md"]

/** Tests are named without a folder. */
const tests = new Set(
  globSync("{apps,packages,scripts}/**/*.test.ts", {
    cwd: repository,
    exclude: (name) => ["node_modules", "dist"].includes(name)
  }).map((path) => basename(path))
)

const exists = (path: string): boolean => existsSync(join(repository, path)) || tests.has(path)

describe("the documents of the structure", () => {
  for (const document of documents) {
    it(`name files and folders where they are: ${document}`, () => {
      const text = readFileSync(join(repository, document), "utf8")
      assert.isAbove([...text.matchAll(/`[\w./-]+(\.ts|\/)`/g)].length, 5)
      assert.deepStrictEqual(findMisplaced(text, exists), [])
    })
  }
})

describe("names of files in a document", () => {
  const files = new Set([
    "apps/server/src/a/",
    "apps/server/src/a/b/",
    "apps/server/src/a/A.ts",
    "apps/server/src/a/b/B.ts"
  ])
  const cases: ReadonlyArray<readonly [text: string, misplaced: ReadonlyArray<string>]> = [
    ["- Here: `a/A.ts` -> `a/b/B.ts`", []],
    ["- Here: `a/b/A.ts`", ["a/b/A.ts"]],
    ["- Here: `B.ts` of `a/b/`, and `A.ts` of `a/`", []],
    ["- Here: `A.ts` and `B.ts` of `a/b/`", ["A.ts of a/b/"]],
    ["- Here: `b/B.ts` and `A.ts` of `a/`", []],
    ["- Here: `a/A.ts` -> `B.ts`", ["B.ts"]],
    ["- Here: `a/b/B.ts`\n  - There: `B.ts`\n- Elsewhere: `B.ts`", ["B.ts"]],
    ["In `a/b/`:\n\n- Here: `B.ts`", []],
    ["| `a/` A; `a/b/` A, B |", ["a/b/A.ts"]]
  ]

  for (const [text, misplaced] of cases) {
    it(`are sought in the folder that it states: ${text.replaceAll("\n", " ")}`, () => {
      assert.deepStrictEqual(
        findMisplaced(text, (path) => files.has(path)),
        misplaced
      )
    })
  }
})
