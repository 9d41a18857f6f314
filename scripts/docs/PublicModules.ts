/** The public modules of the packages: those that their `exports` reach. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"

export interface PublicModule {
  /** The specifier by which a program imports it. */
  readonly specifier: string
  /** Its source, relative to the root of the repository. */
  readonly file: string
}

/** The file to which an entry of `exports` resolves while running from the sources. */
const sourceOf = (entry: unknown): string | undefined => {
  if (typeof entry !== "object" || entry === null || !("chaintape-source" in entry)) return undefined
  const source = entry["chaintape-source"]
  return typeof source === "string" ? source : undefined
}

const filesBelow = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => `./${join(entry.parentPath, entry.name).slice(folder.length - "src".length)}`)

/** The text that the star of `pattern` matches in `value`. */
const starOf = (pattern: string, value: string): string | undefined => {
  const [before = "", after] = pattern.split("*")
  if (after === undefined) return pattern === value ? "" : undefined
  const fits = value.startsWith(before) && value.endsWith(after) && value.length > before.length + after.length
  return fits ? value.slice(before.length, value.length - after.length) : undefined
}

interface Reached {
  readonly path: string
  readonly source: string
}

const reachedBy = (key: string, entry: unknown, files: ReadonlyArray<string>): ReadonlyArray<Reached> => {
  const pattern = sourceOf(entry)
  if (pattern === undefined) return []
  return files.flatMap((source) => {
    const star = starOf(pattern, source)
    return star === undefined ? [] : [{ path: key.replace("*", star), source }]
  })
}

const modulesOf = async (root: string, folder: string): Promise<ReadonlyArray<PublicModule>> => {
  const manifest: unknown = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"))
  if (typeof manifest !== "object" || manifest === null || !("name" in manifest) || !("exports" in manifest)) return []
  const entries = Object.entries(manifest.exports ?? {})
  const closed = entries.filter(([, entry]) => entry === null).map(([key]) => key)
  const files = await filesBelow(join(root, folder, "src"))
  const reached = entries
    .flatMap(([key, entry]) => reachedBy(key, entry, files))
    .filter(({ path }) => !closed.some((key) => starOf(key, path) !== undefined))
    // Programs use the shortest specifier of a file.
    .sort((one, other) => one.path.length - other.path.length)
  const first = new Map(reached.toReversed().map((module) => [module.source, module]))
  return [...first.values()]
    .map(({ path, source }) => ({ specifier: `${manifest.name}${path.slice(1)}`, file: join(folder, source) }))
    .sort((one, other) => (one.specifier < other.specifier ? -1 : 1))
}

/** Every module of the published packages, sorted by specifier. */
export const publicModules = async (root: string): Promise<ReadonlyArray<PublicModule>> => {
  const packages = await Promise.all(
    ["cex", "dex", "blocks", "core"].map((name) => modulesOf(root, join("packages", name)))
  )
  return packages.flat()
}
