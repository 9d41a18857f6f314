/**
 * The signatures of exports: values as in their source, functions and members of classes with the types of the
 * compiler.
 */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { repository, run } from "../Command.ts"
import { parse, type PublicExport } from "../docs/PublicExports.ts"
import { published } from "../Packages.ts"
import { inTemporaryFolder } from "../TemporaryFolder.ts"

/** The source text of a declaration, for a page. */
export type Signatures = (declaration: PublicExport) => string

interface Declared {
  readonly text: string
  /** The text between the braces of a class. */
  readonly members: string
}

const withoutSemicolons = (text: string) =>
  text.replace(/;$/gm, "").replace(/^( {4})+/gm, (indent) => " ".repeat(indent.length / 2))

const declaredIn = (file: string, text: string): ReadonlyMap<string, Declared> => {
  const found = new Map<string, Declared>()
  for (const statement of parse(file, text).body) {
    if (statement.type !== "ExportNamedDeclaration" || statement.declaration === null) continue
    const { declaration } = statement
    const whole = withoutSemicolons(text.slice(declaration.start, declaration.end))
    if (declaration.type === "ClassDeclaration" && declaration.id !== null) {
      const members = withoutSemicolons(text.slice(declaration.body.start + 1, declaration.body.end - 1)).trimEnd()
      found.set(declaration.id.name, { text: whole, members })
    }
    if (declaration.type === "FunctionDeclaration" || declaration.type === "TSDeclareFunction") {
      if (declaration.id !== null) found.set(declaration.id.name, { text: whole, members: "" })
    }
    if (declaration.type !== "VariableDeclaration") continue
    for (const { id } of declaration.declarations) {
      if (id.type === "Identifier") found.set(id.name, { text: whole, members: "" })
    }
  }
  return found
}

/** The source of a class up to its body, and its members with the types of the compiler. */
const ofClass = (text: string, members: string): string => {
  const source = parse("class.ts", text).body[0]
  const head = source?.type === "ClassDeclaration" ? text.slice(0, source.body.start).trimEnd() : text
  return members === "" ? `${head} {}` : `${head} {${members}\n}`
}

const getSignature = (declaration: PublicExport, declared: Declared | undefined): string => {
  if (declaration.kind === "class") return ofClass(declaration.text, declared?.members ?? "")
  if (declaration.kind === "function") return declared?.text ?? declaration.text
  return declaration.type === undefined ? declaration.text : `${declaration.text}\n\n${declaration.type}`
}

const tsconfig = (root: string) => ({
  extends: join(repository, "tsconfig.json"),
  compilerOptions: {
    noEmit: false,
    declaration: true,
    sourceMap: false,
    emitDeclarationOnly: true,
    plugins: [],
    rootDir: repository,
    outDir: join(root, "types"),
    typeRoots: [join(repository, "node_modules", "@types")]
  },
  include: published.map((name) => join(repository, "packages", name, "src")),
  exclude: []
})

/** Runs the compiler once for the declarations of all packages. */
export const signatures = (declarations: ReadonlyArray<PublicExport>): Promise<Signatures> =>
  inTemporaryFolder("signatures", async (folder) => {
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(tsconfig(folder)))
    const { code, output } = await run("tsc", ["-p", folder, "--pretty", "false"], { cwd: repository })
    if (code !== 0) throw new Error(`The packages do not compile:\n${output}`)
    const byFile = new Map<string, ReadonlyMap<string, Declared>>()
    for (const file of new Set(declarations.map((declaration) => declaration.file))) {
      const path = file.replace(/\.ts$/, ".d.ts")
      byFile.set(file, declaredIn(path, await readFile(join(folder, "types", path), "utf8")))
    }
    return (declaration) => getSignature(declaration, byFile.get(declaration.file)?.get(declaration.name))
  })
