import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { repository } from "./Command.ts"

/** For each node, the nodes that it imports. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>

const imported = /(?:\bfrom|\bimport)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g

/**
 * The relative imports of the modules below a folder of the repository, types included. Paths are relative to that
 * folder.
 */
export const readImports = (folder: string): ImportGraph => {
  const root = join(repository, folder)
  const files = new Set(globSync("**/*.{ts,tsx}", { cwd: root }))
  return new Map(
    [...files].map((file) => {
      const text = readFileSync(join(root, file), "utf8")
      const targets = [...text.matchAll(imported)].map(([, path = ""]) => join(dirname(file), path))
      return [file, new Set(targets.filter((target) => files.has(target)))]
    })
  )
}

/** A folder imports another if one of its files, not those of its subfolders, imports a file of the other. */
export const toFolders = (files: ImportGraph): ImportGraph => {
  const folders = new Map<string, Set<string>>()
  for (const [file, targets] of files) {
    const folder = dirname(file)
    const others = [...targets].map((target) => dirname(target)).filter((other) => other !== folder)
    folders.set(folder, new Set([...(folders.get(folder) ?? []), ...others]))
  }
  return folders
}

/** Everything that a node imports, directly and indirectly, and itself. */
export const reachable = (graph: ImportGraph, from: string): ReadonlySet<string> => {
  const seen = new Set<string>()
  const waiting = [from]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (seen.has(node)) continue
    seen.add(node)
    waiting.push(...(graph.get(node) ?? []))
  }
  return seen
}

/** The imports that are part of a cycle, as `from -> to`. */
export const findCycles = (graph: ImportGraph): ReadonlyArray<string> =>
  [...graph].flatMap(([from, targets]) =>
    [...targets].filter((to) => reachable(graph, to).has(from)).map((to) => `${from} -> ${to}`)
  )
