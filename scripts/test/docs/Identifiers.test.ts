import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { repository } from "../../Command.ts"

const folders = ["apps", "bench", "docs", "examples", "packages", "scripts"]
const skipped = new Set(["node_modules", "dist", "artifacts", ".turbo"])

const listFiles = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return []
    const path = join(folder, entry.name)
    return entry.isDirectory() ? listFiles(path) : [path]
  })

/** The spans of code of a document, without its blocks of code. */
const readSpans = (text: string): ReadonlyArray<string> =>
  [...text.replaceAll(/^ *```[^]*?^ *```/gm, "").matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span)

const identifier = /[A-Za-z_$][\w$]*/g

const toIdentifiers = (text: string): ReadonlyArray<string> => text.match(identifier) ?? []

/** A name, a member of one, or a signature. */
const isName = (span: string): boolean => /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*)*(\([\w, ]*\))?$/.test(span)

/** A file, but not a path of the service. */
const isFile = (span: string): boolean => /^[\w-][\w/.-]*\.(ts|json|md)$/.test(span)

/** An environment variable, which the documents assign. */
const toSpan = (span: string): string => /^([A-Z_]+)=\w*$/.exec(span)?.[1] ?? span

const documents = readdirSync(join(repository, "docs")).filter((name) => /^adding-.*\.md$/.test(name))

describe("the instructions in docs/adding-*.md", () => {
  const files = folders.flatMap((folder) => listFiles(join(repository, folder)))
  const known = new Set(
    files
      .filter((file) => /\.(ts|tsx|json)$/.test(file) && file !== import.meta.filename)
      .flatMap((file) => toIdentifiers(readFileSync(file, "utf8")))
  )

  it.each(documents)("name what exists: %s", (document) => {
    const spans = readSpans(readFileSync(join(repository, "docs", document), "utf8")).map(toSpan)
    const missing = spans.filter((span) => {
      if (isFile(span)) return !files.some((file) => file.endsWith(`/${span}`))
      return isName(span) && toIdentifiers(span).some((name) => !known.has(name))
    })
    assert.deepStrictEqual(missing, [])
    assert.isNotEmpty(spans.filter(isName))
  })
})
