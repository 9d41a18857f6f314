/** The public interface of the packages as text: for each entry its names, each with its declaration as built. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { readPackageExports } from "./docs/DocExamples.ts"
import { type ModuleExports, parse, type PublicExport } from "./docs/PublicExports.ts"

/** Where the report is committed, relative to the root of the repository. */
export const reportFile = "packages/api-report.md"

/** The names that an `import` of one specifier can use: a namespace is one name. */
export interface Entry {
  readonly specifier: string
  readonly names: ReadonlyArray<string>
}

/** The entries of all packages. */
export const getEntries = (modules: ReadonlyArray<ModuleExports>): ReadonlyArray<Entry> =>
  modules
    .filter(({ module }) => module.namespace === undefined)
    .map(({ declared, module, namespaces, taken }) => ({
      specifier: module.specifier,
      names: [...declared, ...taken, ...namespaces].map(({ name }) => name).sort()
    }))

/** A file of the sources as the compiler built it. */
const builtFile = (file: string) => file.replace("/src/", "/dist/").replace(/\.ts$/, ".d.ts")

const withoutComments = (text: string) => text.replaceAll(/^\s*\/\*\*?[\s\S]*?\*\/\n/gm, "").trimEnd()

/** The declarations of a built file by name: a constant and the type of its name are one. */
const declarationsIn = async (root: string, file: string): Promise<ReadonlyMap<string, string>> => {
  const path = builtFile(file)
  const source = parse(path, await readFile(join(root, path), "utf8"))
  const found = new Map<string, string>()
  for (const statement of source.body) {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
    if (declaration === null) continue
    const text = withoutComments(source.text.slice(declaration.start, declaration.end))
    const names =
      declaration.type === "VariableDeclaration"
        ? declaration.declarations.flatMap(({ id }) => (id.type === "Identifier" ? [id.name] : []))
        : "id" in declaration && declaration.id?.type === "Identifier"
          ? [declaration.id.name]
          : []
    for (const name of names) found.set(name, found.has(name) ? `${found.get(name)}\n${text}` : text)
  }
  return found
}

const getTitle = ({ module }: ModuleExports) =>
  module.namespace === undefined ? module.specifier : `${module.specifier}: ${module.namespace}`

/** The text of the report, from the sources and the declarations that were built from them. */
export const apiReport = async (root: string): Promise<string> => {
  const modules = await readPackageExports(root)
  const built = new Map<string, ReadonlyMap<string, string>>()
  const getDeclaration = async ({ file, name }: PublicExport): Promise<string> => {
    const declarations = built.get(file) ?? (await declarationsIn(root, file))
    built.set(file, declarations)
    const base = declarations.get(`${name}_base`)
    const own = declarations.get(name) ?? `// ${name} of ${file}`
    return base === undefined ? own : `${base}\n${own}`
  }
  const entries = getEntries(modules)
  const distinct = new Set(entries.flatMap(({ names }) => names)).size
  const sections: Array<string> = []
  const shown = new Map<string, string>()
  for (const exports of modules) {
    const lines: Array<string> = []
    for (const declaration of [...exports.declared, ...exports.taken].toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const key = `${declaration.file} ${declaration.name}`
      const home = shown.get(key)
      shown.set(key, home ?? getTitle(exports))
      lines.push(home === undefined ? await getDeclaration(declaration) : `// ${declaration.name}: as in ${home}`)
    }
    for (const { name } of exports.namespaces) lines.push(`// ${name}: a namespace, see below`)
    sections.push(`## ${getTitle(exports)}\n\n\`\`\`ts\n${lines.join("\n")}\n\`\`\`\n`)
  }
  return [
    "# The public interface of the packages\n",
    `${entries.length} entries, ${distinct} names. Written by \`node scripts/api-report.ts --write\` after a build; a change needs a`,
    "release note in `.changeset`.\n",
    ...sections
  ].join("\n")
}
