import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { repository } from "../../Command.ts"

const documents = ["ARCHITECTURE.md", "docs/where-does-it-go.md", "docs/journeys.md"]

const isClosed = (name: string) => ["node_modules", "dist", "artifacts", "fixtures"].includes(name)

const paths = globSync(["*.{ts,json,md}", "{apps,bench,docs,examples,packages,scripts}/**/*.{ts,tsx,json,md}"], {
  cwd: repository,
  exclude: isClosed
}).map((path) => `/${path}`)

/** Files and folders in backticks, such as `cex/Tape.ts` and `cex/tape/`. Suffixes, such as `...View.tsx`, begin with a dot. */
const readNames = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/`([\w./-]+?(?:\.tsx?|\.json|\.md|\/))`/g)]
    .map(([, name = ""]) => name)
    .filter((name) => !name.startsWith("."))

const exists = (name: string): boolean => {
  const path = name.replace(/^(core|contract)\//, "packages/$1/src/")
  return paths.some((known) => (path.endsWith("/") ? known.includes(`/${path}`) : known.endsWith(`/${path}`)))
}

describe("the documents of the structure", () => {
  for (const document of documents) {
    it(`name files and folders that exist: ${document}`, () => {
      const names = readNames(readFileSync(join(repository, document), "utf8"))
      assert.isAbove(names.length, 5)
      assert.deepStrictEqual(
        names.filter((name) => !exists(name)),
        []
      )
    })
  }
})
