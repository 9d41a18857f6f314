/** The public modules of the packages: those that their `exports` name, and those that these export as namespaces. */
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { clients } from "../Packages.ts"

export interface PublicModule {
  /** The specifier by which a program imports it. */
  readonly specifier: string
  /** The name under which the specifier exports it, if it is a namespace. */
  readonly namespace?: string
  /** Its source, relative to the root of the repository. */
  readonly file: string
}

/** The file to which an entry of `exports` resolves while running from the sources. */
const getSource = (entry: unknown): string | undefined => {
  if (typeof entry !== "object" || entry === null || !("chaintape-source" in entry)) return undefined
  const source = entry["chaintape-source"]
  return typeof source === "string" ? source : undefined
}

/** The modules that a module exports as namespaces. */
const readNamespaces = async (
  root: string,
  { file, specifier }: PublicModule
): Promise<ReadonlyArray<PublicModule>> => {
  const text = await readFile(join(root, file), "utf8")
  return [...text.matchAll(/^export \* as (\w+) from "(\.[^"]+)"$/gm)].map(([, namespace = "", path = ""]) => ({
    specifier,
    namespace,
    file: join(dirname(file), path)
  }))
}

const readModules = async (root: string, folder: string): Promise<ReadonlyArray<PublicModule>> => {
  const manifest: unknown = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"))
  if (typeof manifest !== "object" || manifest === null || !("name" in manifest) || !("exports" in manifest)) return []
  const entries = Object.entries(manifest.exports ?? {}).flatMap(([path, entry]): ReadonlyArray<PublicModule> => {
    const source = getSource(entry)
    return source === undefined ? [] : [{ specifier: `${manifest.name}${path.slice(1)}`, file: join(folder, source) }]
  })
  const namespaces = await Promise.all(entries.map((entry) => readNamespaces(root, entry)))
  return [...entries, ...namespaces.flat()]
}

const toSortKey = ({ namespace = "", specifier }: PublicModule) => `${specifier} ${namespace}`

/** Every module of the published packages, sorted by specifier and namespace. */
export const publicModules = async (root: string): Promise<ReadonlyArray<PublicModule>> => {
  const packages = await Promise.all(
    [...clients, "core"].map(async (name) =>
      (await readModules(root, join("packages", name))).toSorted((one, other) =>
        toSortKey(one) < toSortKey(other) ? -1 : 1
      )
    )
  )
  return packages.flat()
}
