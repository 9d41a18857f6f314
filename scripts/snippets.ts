/**
 * Snippets of the documents are ranges of files that run. `node scripts/snippets.ts` compares them; with `--write` it
 * copies the ranges into the documents.
 */
import { readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { repository } from "./Command.ts"

/** Reads a file of the repository by its path from the root. */
type Read = (path: string) => Promise<string>

export interface Rewritten {
  /** The document with every snippet replaced by its source. */
  readonly text: string
  /** The errors of the document, each with its line. */
  readonly findings: ReadonlyArray<string>
}

/** `<!-- snippet: FILE#REGION -->`, and the block that follows it. */
const marked = /^<!-- snippet: (\S+?)#(\S+) -->\n\n?```ts\n([\s\S]*?)^```$/gm

const withoutIndent = (lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const depths = lines.filter((line) => line.trim() !== "").map((line) => line.length - line.trimStart().length)
  const depth = Math.min(...depths)
  return lines.map((line) => line.slice(depth))
}

/** The lines between `// #region NAME` and the next `// #endregion`. */
export const findRegion = (source: string, name: string): string | undefined => {
  const lines = source.split("\n")
  const start = lines.findIndex((line) => line.trim() === `// #region ${name}`)
  const length = lines.slice(start + 1).findIndex((line) => line.trim() === "// #endregion")
  if (start < 0 || length <= 0) return undefined
  return `${withoutIndent(lines.slice(start + 1, start + 1 + length)).join("\n")}\n`
}

const lineAt = (text: string, index: number) => text.slice(0, index).split("\n").length

/** Compares each snippet of a document with its source. */
export const rewrite = async (document: string, text: string, read: Read): Promise<Rewritten> => {
  const findings: Array<string> = []
  let written = ""
  let at = 0
  for (const match of text.matchAll(marked)) {
    const [whole, file = "", name = "", body = ""] = match
    const place = `${document}:${lineAt(text, match.index)}`
    const source = await read(file).catch(() => undefined)
    const region = source === undefined ? undefined : findRegion(source, name)
    if (source === undefined) findings.push(`${place}: there is no file "${file}"`)
    else if (region === undefined) findings.push(`${place}: "${file}" has no region "${name}"`)
    else if (region !== body) findings.push(`${place}: the snippet differs from "${file}#${name}"`)
    const start = whole.slice(0, whole.length - body.length - "```".length)
    written += text.slice(at, match.index) + start + (region ?? body) + "```"
    at = match.index + whole.length
  }
  return { text: written + text.slice(at), findings }
}

/** The lines of TypeScript blocks without a source. */
export const unmarked = (document: string, text: string): ReadonlyArray<string> => {
  const behind = [...text.matchAll(marked)].map(({ 0: whole, index }) => index + whole.indexOf("```ts"))
  return [...text.matchAll(/^```ts$/gm)]
    .filter(({ index }) => !behind.includes(index))
    .map(({ index }) => `${document}:${lineAt(text, index)}: the snippet names no file that it is taken from`)
}

/** The documents from which newcomers copy. */
export const documents = async (): Promise<ReadonlyArray<string>> => {
  const packages = await readdir(join(repository, "packages"))
  const guides = await readdir(join(repository, "docs", "guides"))
  const candidates = [
    "README.md",
    ...packages.sort().map((name) => `packages/${name}/README.md`),
    ...guides.sort().map((name) => `docs/guides/${name}`)
  ]
  const found = await Promise.all(
    candidates.map((path) =>
      readFile(join(repository, path)).then(
        () => [path],
        () => []
      )
    )
  )
  return found.flat()
}

const readHere: Read = (path) => readFile(join(repository, path), "utf8")

/** All errors in the snippets of the repository. With `write`, differences are corrected. */
export const check = async (options: { readonly write: boolean }): Promise<ReadonlyArray<string>> => {
  const findings: Array<string> = []
  for (const document of await documents()) {
    const text = await readHere(document)
    const rewritten = await rewrite(document, text, readHere)
    if (options.write && rewritten.text !== text) await writeFile(join(repository, document), rewritten.text)
    const left = options.write ? await rewrite(document, rewritten.text, readHere) : rewritten
    findings.push(...left.findings, ...unmarked(document, rewritten.text))
  }
  return findings
}

if (import.meta.main) {
  const write = process.argv.includes("--write")
  const findings = await check({ write })
  for (const finding of findings) process.stdout.write(`${finding}\n`)
  process.exitCode = findings.length === 0 ? 0 : 1
}
