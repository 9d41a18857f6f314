/**
 * Checks the documentation of the packages' public exports: each has a summary, `@since`, `@category` and an example,
 * and each example compiles and runs without network.  An example covers the export that it documents, and every other
 * export of the same module that it uses by name. So a family, such as the problems of a group, has one example in the
 * comment of its module, in which each member occurs.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { run } from "../Command.ts"
import type { Example } from "./JsDoc.ts"
import { type ModuleExports, namesUsedIn, type PublicExport, publicExports } from "./PublicExports.ts"
import { publicModules } from "./PublicModules.ts"

/** An example with its position in the source. */
export interface PlacedExample extends Example {
  /** `FILE: the example of NAME`. */
  readonly place: string
}

const placed = (file: string, of: string, examples: ReadonlyArray<Example>): ReadonlyArray<PlacedExample> =>
  examples.map((example, index) => {
    const which = examples.length === 1 ? "the example" : `example ${index + 1}`
    return { ...example, place: `${file}: ${which} of ${of}` }
  })

/** The examples of a module: those of its own comment, those of the files that declare its exports, then those of these. */
const getModuleExamples = ({ declared, doc, module }: ModuleExports): ReadonlyArray<PlacedExample> => [
  ...placed(module.file, "the module", doc?.examples ?? []),
  ...declared.flatMap(({ file, fileDoc }) => placed(file, "the module", fileDoc?.examples ?? [])),
  ...declared.flatMap((declaration) => placed(declaration.file, declaration.name, declaration.doc?.examples ?? []))
]

/** Every example once, even if several modules export what it documents. */
export const getExamples = (modules: ReadonlyArray<ModuleExports>): ReadonlyArray<PlacedExample> => [
  ...new Map(modules.flatMap(getModuleExamples).map((example) => [example.place, example])).values()
]

const toKey = ({ file, name }: PublicExport) => `${file}: ${name}`

const findFaults = ({ doc, uncommented }: PublicExport, isUsed: boolean): ReadonlyArray<string> => {
  if (doc === undefined) return ["a comment"]
  return [
    ...(doc.summary === "" ? ["a summary"] : []),
    ...(doc.since === undefined ? ["@since"] : []),
    ...(doc.category === undefined ? ["@category"] : []),
    ...(doc.examples.length > 0 || isUsed ? [] : ["an @example"]),
    ...uncommented.map((member) => `a comment on "${member}"`)
  ]
}

/** The exports that the examples of a module use, by key. */
const usedIn = (exports: ModuleExports): ReadonlyArray<string> => {
  const names = new Set(getModuleExamples(exports).flatMap(({ code }) => [...namesUsedIn(code)]))
  return exports.declared.filter(({ name }) => names.has(name)).map(toKey)
}

const findModuleFaults = ({ doc, module }: ModuleExports): ReadonlyArray<string> => {
  const lacks = [
    ...(doc === undefined || doc.summary === "" ? ["a summary"] : []),
    ...(doc?.since === undefined ? ["@since"] : [])
  ]
  return lacks.length === 0 ? [] : [`${module.file}: the module lacks ${lacks.join(", ")}`]
}

/** The faults of the comments, as sentences. */
export const getFindings = (modules: ReadonlyArray<ModuleExports>): ReadonlyArray<string> => {
  const used = new Set(modules.flatMap(usedIn))
  // A declaration that several modules export is checked once.
  const declared = new Map(modules.flatMap((exports) => exports.declared.map((one) => [toKey(one), one] as const)))
  const ofExports = [...declared].flatMap(([key, declaration]) => {
    const lacks = findFaults(declaration, used.has(key))
    return lacks.length === 0 ? [] : [`${key} lacks ${lacks.join(", ")}`]
  })
  return [...modules.flatMap(findModuleFaults), ...ofExports]
}

const tsconfig = JSON.stringify({ extends: "../../../tsconfig.json", include: ["*.ts"], exclude: [] })

/** A line of the compiler, `Type: text`, with the position of the example before it. */
const withPlaces = (output: string, examples: ReadonlyMap<string, PlacedExample>): ReadonlyArray<string> =>
  output.split("\n").flatMap((line) => {
    const [, file = "", at = "", text = ""] = /([^/\\\s]+\.ts)\((\d+),\d+\): (.*)$/.exec(line) ?? []
    const example = examples.get(file)
    if (example !== undefined) return [`${example.place}, line ${at}: ${text}`]
    return line.trim() === "" ? [] : [line]
  })

/** Links through which the examples resolve the packages and Effect; ignored by all checks. */
const inFolder = async <A>(root: string, use: (folder: string) => Promise<A>): Promise<A> => {
  const parent = join(root, "examples", "dist")
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, "documentation-"))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const offlineRun = join(import.meta.dirname, "OfflineRun.ts")

/** Compiles all examples in one run, then runs them in a second one. Returns the failures as sentences. */
export const compileAndRun = (root: string, examples: ReadonlyArray<PlacedExample>): Promise<ReadonlyArray<string>> =>
  inFolder(root, async (folder) => {
    const files = new Map(examples.map((example, index) => [`example-${index}.ts`, example]))
    await writeFile(join(folder, "tsconfig.json"), tsconfig)
    for (const [name, { code }] of files) await writeFile(join(folder, name), `${code}\nexport {}\n`)
    const compiled = await run("tsc", ["-p", folder, "--pretty", "false"], { cwd: root })
    if (compiled.code !== 0) return withPlaces(compiled.output, files)
    const paths = [...files.keys()].map((name) => join(folder, name))
    const ran = await run(process.execPath, ["--conditions=chaintape-source", offlineRun, ...paths], { cwd: root })
    return ran.code === 0 ? [] : withPlaces(ran.output, files)
  })

/** The exports of the packages with their documentation. */
export const readPackageExports = async (root: string): Promise<ReadonlyArray<ModuleExports>> =>
  publicExports(root, await publicModules(root))
