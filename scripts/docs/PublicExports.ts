/** The exports of the packages' modules: declarations with their position and their documentation. */
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type ESTree, parseSync, Visitor } from "rolldown/utils"
import { type JsDoc, parseJsDoc } from "./JsDoc.ts"
import type { PublicModule } from "./PublicModules.ts"

type Kind = "class" | "constant" | "function" | "interface" | "type"

export interface PublicExport {
  readonly name: string
  readonly kind: Kind
  /** The file of the declaration, relative to the root of the repository. */
  readonly file: string
  readonly doc: JsDoc | undefined
  /** The comment of the whole file of the declaration. */
  readonly fileDoc: JsDoc | undefined
  /** The source of the declaration, from `class`, `const` or the like on. */
  readonly text: string
  /** The members of an interface, or the fields of an error, that have no comment. */
  readonly uncommented: ReadonlyArray<string>
  /** The type with the same name as a constant. */
  readonly type?: string
}

/** A name that a module re-exports, and the module that declares it. */
export interface Namespace {
  readonly name: string
  readonly file: string
}

export interface ModuleExports {
  readonly module: PublicModule
  readonly doc: JsDoc | undefined
  /** The exports that the module declares, or re-exports from files that no program can import. */
  readonly declared: ReadonlyArray<PublicExport>
  /** The re-exports from modules with a path of their own. */
  readonly taken: ReadonlyArray<PublicExport>
  readonly namespaces: ReadonlyArray<Namespace>
}

type Statement = ESTree.Program["body"][number]

interface Source {
  readonly file: string
  readonly text: string
  readonly body: ReadonlyArray<Statement>
  readonly comments: ReadonlyArray<{ readonly value: string; readonly end: number; readonly start: number }>
}

export const parse = (file: string, text: string): Source => {
  const { comments, errors, program } = parseSync(file, text)
  const [error] = errors
  if (error !== undefined) throw new Error(`"${file}" can't be read: ${error.message}`)
  const blocks = comments.filter(({ type, value }) => type === "Block" && value.startsWith("*"))
  return { file, text, body: program.body, comments: blocks }
}

const read = async (root: string, file: string): Promise<Source> =>
  parse(file, await readFile(join(root, file), "utf8"))

/** The comment that ends before `start`, apart from white space. */
const docBefore = ({ comments, text }: Source, start: number): JsDoc | undefined => {
  const comment = comments.findLast(({ end }) => end <= start && text.slice(end, start).trim() === "")
  return comment === undefined ? undefined : parseJsDoc(comment.value)
}

/** The comment at the beginning of a file, which documents the whole file. */
const getFileDoc = ({ comments, text }: Source): JsDoc | undefined => {
  const [comment] = comments
  return comment === undefined || text.slice(0, comment.start).trim() !== "" ? undefined : parseJsDoc(comment.value)
}

const isFunction = (expression: ESTree.Expression | null) =>
  expression?.type === "ArrowFunctionExpression" || expression?.type === "FunctionExpression"

interface Named {
  readonly name: string
  readonly kind: Kind
}

const namedBy = (declaration: Statement): ReadonlyArray<Named> => {
  switch (declaration.type) {
    case "VariableDeclaration":
      return declaration.declarations.flatMap(({ id, init }) =>
        id.type === "Identifier" ? [{ name: id.name, kind: isFunction(init) ? "function" : "constant" }] : []
      )
    case "FunctionDeclaration":
    case "TSDeclareFunction":
      return declaration.id === null ? [] : [{ name: declaration.id.name, kind: "function" }]
    case "ClassDeclaration":
      return declaration.id === null ? [] : [{ name: declaration.id.name, kind: "class" }]
    case "TSInterfaceDeclaration":
      return [{ name: declaration.id.name, kind: "interface" }]
    case "TSTypeAliasDeclaration":
      return [{ name: declaration.id.name, kind: "type" }]
    default:
      return []
  }
}

const getMembers = (declaration: Statement): ReadonlyArray<ESTree.TSSignature> => {
  if (declaration.type === "TSInterfaceDeclaration") return declaration.body.body
  // `class Error extends TaggedError("Error")<{ ... }>`
  const fields = declaration.type === "ClassDeclaration" ? declaration.superTypeArguments?.params[0] : undefined
  return fields?.type === "TSTypeLiteral" ? fields.members : []
}

const uncommentedIn = (source: Source, declaration: Statement): ReadonlyArray<string> =>
  getMembers(declaration).flatMap((member) =>
    (member.type === "TSPropertySignature" || member.type === "TSMethodSignature") &&
    member.key.type === "Identifier" &&
    docBefore(source, member.start) === undefined
      ? [member.key.name]
      : []
  )

/** Every declaration of a file, exported or not. */
const getDeclarations = (source: Source): ReadonlyArray<PublicExport> => {
  const fileDoc = getFileDoc(source)
  return source.body.flatMap((statement) => {
    const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement
    if (declaration === null) return []
    const doc = docBefore(source, statement.start)
    const text = source.text.slice(declaration.start, declaration.end)
    const uncommented = uncommentedIn(source, declaration)
    return namedBy(declaration).map((named) => ({ ...named, file: source.file, doc, fileDoc, text, uncommented }))
  })
}

const getName = (name: ESTree.ModuleExportName) => (name.type === "Literal" ? name.value : name.name)

interface Exports {
  readonly declarations: ReadonlyArray<PublicExport>
  readonly namespaces: ReadonlyArray<Namespace>
}

const target = (file: string, specifier: string) => join(dirname(file), specifier)

const fromElsewhere = async (
  root: string,
  file: string,
  specifier: string,
  names: ReadonlyMap<string, string> | undefined
): Promise<ReadonlyArray<PublicExport>> => {
  if (!specifier.startsWith(".")) return []
  const { declarations } = await readExports(root, target(file, specifier))
  if (names === undefined) return declarations
  return declarations.flatMap((declaration) => {
    const name = names.get(declaration.name)
    return name === undefined ? [] : [{ ...declaration, name }]
  })
}

const readStatementExports = async (
  root: string,
  source: Source,
  own: ReadonlyArray<PublicExport>,
  statement: Statement
): Promise<Exports> => {
  if (statement.type === "ExportAllDeclaration") {
    const specifier = statement.source.value
    if (statement.exported === null) {
      return { declarations: await fromElsewhere(root, source.file, specifier, undefined), namespaces: [] }
    }
    const namespace = { name: getName(statement.exported), file: target(source.file, specifier) }
    return { declarations: [], namespaces: specifier.startsWith(".") ? [namespace] : [] }
  }
  if (statement.type !== "ExportNamedDeclaration") return { declarations: [], namespaces: [] }
  if (statement.declaration !== null) {
    const named = namedBy(statement.declaration)
    const isNamed = ({ kind, name }: Named) => named.some((one) => one.name === name && one.kind === kind)
    return { declarations: own.filter(isNamed), namespaces: [] }
  }
  const names = new Map(statement.specifiers.map(({ exported, local }) => [getName(local), getName(exported)]))
  if (statement.source !== null) {
    return { declarations: await fromElsewhere(root, source.file, statement.source.value, names), namespaces: [] }
  }
  const declarations = own.flatMap((declaration) => {
    const name = names.get(declaration.name)
    return name === undefined ? [] : [{ ...declaration, name }]
  })
  return { declarations, namespaces: [] }
}

const readExports = async (root: string, file: string): Promise<Exports> => {
  const source = await read(root, file)
  const own = getDeclarations(source)
  const all = await Promise.all(source.body.map((statement) => readStatementExports(root, source, own, statement)))
  return {
    declarations: all.flatMap(({ declarations }) => declarations),
    namespaces: all.flatMap(({ namespaces }) => namespaces)
  }
}

/** A constant and a type with the same name are one concept; the constant's comment documents both. */
const withTypes = (declarations: ReadonlyArray<PublicExport>): ReadonlyArray<PublicExport> => {
  const isType = ({ kind }: PublicExport) => kind === "type" || kind === "interface"
  const values = declarations.filter((declaration) => !isType(declaration))
  return declarations.flatMap((declaration) => {
    const others = declarations.filter(({ name }) => name === declaration.name)
    if (!isType(declaration)) return [{ ...declaration, ...typeText(others.find(isType)) }]
    return values.some(({ name }) => name === declaration.name) ? [] : [declaration]
  })
}

const typeText = (declaration: PublicExport | undefined) =>
  declaration === undefined ? {} : { type: declaration.text, uncommented: declaration.uncommented }

/** The exports of every module, in the order of the source. */
export const publicExports = (
  root: string,
  modules: ReadonlyArray<PublicModule>
): Promise<ReadonlyArray<ModuleExports>> => {
  const files = new Set(modules.map(({ file }) => file))
  return Promise.all(
    modules.map(async (module) => {
      const { declarations, namespaces } = await readExports(root, module.file)
      const isDeclared = ({ file }: PublicExport) => file === module.file || !files.has(file)
      return {
        module,
        doc: getFileDoc(await read(root, module.file)),
        declared: withTypes(declarations.filter(isDeclared)),
        taken: withTypes(declarations.filter((declaration) => !isDeclared(declaration))),
        namespaces
      }
    })
  )
}

/** The names that a program uses, apart from its imports. */
export const namesUsedIn = (code: string): ReadonlySet<string> => {
  const names = new Set<string>()
  let imports = 0
  const visitor = new Visitor({
    ImportDeclaration: () => void (imports += 1),
    "ImportDeclaration:exit": () => void (imports -= 1),
    Identifier: ({ name }) => void (imports === 0 && names.add(name))
  })
  visitor.visit(parseSync("example.ts", code).program)
  return names
}
