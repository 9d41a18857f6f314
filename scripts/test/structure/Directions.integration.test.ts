import { globSync, readdirSync } from "node:fs"
import { dirname, join, matchesGlob, relative } from "node:path"
import * as Schema from "effect/Schema"
import { assert, beforeAll, describe, it } from "vitest"
import { directions, globals, properties } from "../../../oxlint.config.ts"
import { run } from "../../Command.ts"
import { type Direction, serverFolders } from "../../Directions.ts"
import { type Files, withFixtureRepo } from "./FixtureRepo.ts"

/** A line of code in a file. `$` makes its names unique. */
interface Line {
  readonly file: string
  readonly text: string
}

const imports = (file: string, module: string): Line => ({
  file,
  text: `import type { X$ } from "${module}"; export type Y$ = X$`
})

const server = (file: string) => `apps/server/src/${file}`

/** A file that only this glob, and those that contain it, match. */
const toFile = (glob: string) => glob.replace("**", "Planted.ts").replaceAll("*", "Planted")

/** Modules for the rows that do not name them. */
const examples: Readonly<Record<string, ReadonlyArray<string>>> = {
  "Import deep (effect/http/HttpClient, not effect/http).": ["effect/http", "effect/http-api"],
  "core imports only itself and effect by deep paths (effect/Schema, not effect).": [
    "effect",
    "viem",
    "node:fs",
    "@chaintape/cex",
    "@chaintape/server"
  ],
  "A client imports only itself, @chaintape/core and effect by deep paths (effect/Schema, not effect).": [
    "effect",
    "viem",
    "node:fs",
    "@chaintape/cex",
    "@chaintape/server",
    "@chaintape/sandbox"
  ],
  "The contract imports only itself, @chaintape/core and effect by deep paths (effect/Schema, not effect).": [
    "effect",
    "viem",
    "node:fs",
    "@chaintape/cex",
    "@chaintape/server"
  ],
  "The sandbox is an outside world: it uses core's words at most, never the server, a client or ccxt.": [
    "@chaintape/cex",
    "@chaintape/core/operations",
    "@chaintape/core/testing"
  ],
  "A path goes up first, then down: the rules of folders depend on it.": ["./../cex/X.ts", "../cex/../cex/X.ts"],
  "Ownership knows names of work, and nothing of what the work is.": ["@chaintape/core"],
  "A command is a client of a running service: it uses the packages, nothing of the server. One that opens the store has a folder and a row of its own.":
    ["../../main.ts"]
}

const isException = (name: string | RegExp) => typeof name === "string" && name.startsWith("!")

/** Whether the modules that a row forbids cannot be derived from it. */
const needsExamples = ({ not = [], only }: Direction) =>
  only !== undefined || not.some((name) => typeof name !== "string")

/** A module in a folder that a row names, as a file imports it. */
const inFolder = (folder: string, file: string) => {
  if (!file.startsWith(server(""))) return `../${folder}X.ts`
  const path = relative(dirname(file), server(`${folder}X.ts`))
  return path.startsWith(".") ? path : `./${path}`
}

/** Modules that a row forbids to a file: one of each that it names, and the examples. */
const forbiddenBy = (row: Direction, file: string) => {
  const named = (row.not ?? []).flatMap((name) => {
    if (typeof name !== "string" || isException(name)) return []
    if (name.endsWith("/")) return [inFolder(name, file)]
    return name.endsWith(".ts") ? [`./${name.replace("*", "X")}`] : [name, `${name}/deep`]
  })
  return needsExamples(row) ? [...named, ...(examples[row.says] ?? [])] : named
}

/** The exceptions that a row names. */
const allowedBy = ({ not = [] }: Direction) =>
  not.filter(isException).map((name) => `../${String(name).replace("!", "")}`)

/** The imports that are allowed besides the exceptions of the rows. */
const accepted: Readonly<Record<string, ReadonlyArray<string>>> = {
  "packages/core/src/A.ts": ["effect/Schema", "effect/http/HttpClient", "./cex/B.ts", "../B.ts"],
  "packages/contract/src/A.ts": ["@chaintape/core", "@chaintape/core/operations", "effect/Effect"],
  "packages/cex/src/A.ts": ["@chaintape/core", "@chaintape/core/operations", "effect/Effect"],
  "examples/A.ts": ["@chaintape/core", "@chaintape/cex", "effect", "@effect/platform-node"],
  "apps/sandbox/src/exchange/A.ts": ["@chaintape/core", "effect", "viem"],
  [server("program/App.ts")]: [
    "../cex/ccxt/X.ts",
    "../dex/index/X.ts",
    "../cex/api/CexHandlers.ts",
    "../store/X.ts",
    "../http/X.ts"
  ],
  [server("program/OfflineWorld.ts")]: ["@chaintape/sandbox"],
  [server("main.ts")]: ["./cli/CommandLine.ts"],
  [server("http/A.ts")]: [
    "../cex/trades/Trades.ts",
    "../cex/api/CexHandlers.ts",
    "../auth/keys/ApiKeys.ts",
    "effect/http"
  ],
  [server("cex/A.ts")]: ["./ExchangeSource.ts", "./tape/X.ts", "./XStore.ts", "../store/Database.ts", "effect"],
  [server("cex/api/AHandlers.ts")]: ["../trades/Trades.ts", "@chaintape/contract", "effect/http-api"],
  [server("cex/ccxt/A.ts")]: ["ccxt", "node:module", "../ExchangeSource.ts", "./class/X.ts"],
  [server("dex/index/A.ts")]: ["../DexSource.ts", "../../store/Database.ts", "../../blocks/rpc/JsonRpc.ts"],
  // A folder inside another one may have the name of a folder of the server, or of an adapter.
  [server("cli/Blocks.ts")]: ["./blocks/X.ts", "./index/X.ts"],
  [server("cli/market/Blocks.ts")]: ["../blocks/X.ts", "./cex/X.ts", "../rpc/X.ts"],
  [server("cex/trades/Blocks.ts")]: ["../dex/X.ts", "./http/X.ts", "../index/X.ts"],
  [server("cli/download/A.ts")]: ["@chaintape/core", "../terminal/Output.ts", "../../internal/X.ts", "effect"],
  [server("cli/operator/A.ts")]: ["../terminal/Output.ts", "../../auth/keys/ApiKeys.ts", "../../store/Backup.ts"]
}

/** The syntactic forms of an import. */
const forms = [
  'import "ccxt"',
  'import ccxt$ from "ccxt"; export const x$ = ccxt$',
  'import * as ccxt$ from "ccxt"; export const x$ = ccxt$',
  'import type { X$ } from "ccxt"; export type Y$ = X$',
  'export * from "ccxt"',
  'export { x as x$ } from "ccxt"',
  'export const x$ = import("ccxt")'
]

/** Imports that are refused in the source of packages and apps, with the linter's message. */
const refused: ReadonlyArray<readonly [line: string, says: string]> = [
  ["export const x$ = (y: unknown) => y as string", "consistent-type-assertions"],
  ["export const x$ = (y: unknown) => <string>y", "consistent-type-assertions"],
  ["export const x$ = (y: number) => y as unknown as string", "consistent-type-assertions"],
  ["export const x$ = (y: any) => y", "no-explicit-any"],
  ["export const x$ = (y?: string) => y!.length", "no-non-null-assertion"],
  ['export type X$ = import("ccxt").Exchange', "consistent-type-imports"],
  ["export const { now: x$ } = Date", "Use Clock"],
  ...globals.map(({ message, name }) => [`export const x$ = ${name}`, message] as const),
  ...properties.map(({ message, object, property }) => [`export const x$ = ${object}.${property}`, message] as const)
]

const sources = ["packages/core/src", "apps/server/src/cex", "apps/sandbox/src"]

const cast = "export const x$ = (y: unknown) => y as string"
const print = 'export const x$ = () => console.log("x")'

interface Planted extends Line {
  /** The linter must report it. */
  readonly says?: string
  /** The linter must not report it; without either field it must report nothing. */
  readonly spares?: string
}

const ofRows: ReadonlyArray<Planted> = directions.flatMap((row) => {
  const { except = [], of, says } = row
  const plant = (globs: ReadonlyArray<string>, toModules: (row: Direction, file: string) => ReadonlyArray<string>) =>
    globs.map(toFile).flatMap((file) => toModules(row, file).map((module) => imports(file, module)))
  return [
    ...plant(of, forbiddenBy).map((line) => ({ ...line, says })),
    ...plant(of, allowedBy).map((line) => ({ ...line, spares: says })),
    ...plant(except, forbiddenBy).map((line) => ({ ...line, spares: says }))
  ]
})

/** Ways to write the path of a folder that the file's folder must not see. */
const detours: ReadonlyArray<Planted> = [
  { ...imports(server("cli/market/Detour.ts"), "../../blocks/X.ts"), says: serverFolders.cli.says },
  { ...imports(server("cli/market/deep/Detour.ts"), "../../../blocks/X.ts"), says: serverFolders.cli.says },
  {
    ...imports(server("dex/pools/Detour.ts"), "../../dex/subgraph/X.ts"),
    says: "Only the files excepted here name an adapter; use the port of subgraph, DexSource."
  }
]

const ofFolders: ReadonlyArray<Planted> = Object.entries(serverFolders).flatMap(([name, { imports: may, says }]) =>
  may.map((other) => ({ ...imports(server(`${name}/Planted.ts`), `../${other}/X.ts`), spares: says }))
)

const circle: ReadonlyArray<Planted> = [
  { file: server("cex/There.ts"), text: 'import { back } from "./Back.ts"; export const there = () => back' },
  { file: server("cex/Back.ts"), text: 'import { there } from "./There.ts"; export const back = () => there' },
  { file: server("cex/One.ts"), text: 'import type { Other } from "./Other.ts"; export type One = Other | 1' },
  { file: server("cex/Other.ts"), text: 'import type { One } from "./One.ts"; export type Other = ReadonlyArray<One>' }
].map((line) => ({ ...line, says: "import(no-cycle)" }))

const refusedLines: ReadonlyArray<Planted> = sources.flatMap((folder) =>
  refused.map(([text, says]) => ({ file: `${folder}/Refused.ts`, text, says }))
)

const acceptedLines: ReadonlyArray<Planted> = [
  ...Object.entries(accepted).flatMap(([file, modules]) => modules.map((module) => imports(file, module))),
  ...sources.map((folder) => ({ file: `${folder}/internal/Accepted.ts`, text: cast })),
  ...[server("main.ts"), "apps/sandbox/src/main.ts"].map((file) => ({ file, text: print })),
  ...sources.map((folder) => ({ file: `${folder}/Accepted.ts`, text: 'export const x$ = ["a"] as const' })),
  {
    file: server("program/EarlyStart.ts"),
    text: 'import { enableCompileCache } from "node:module"; enableCompileCache()'
  }
]

const formLines: ReadonlyArray<Planted> = forms.map((text) => ({
  file: server("cex/Forms.ts"),
  text,
  says: "Only cex/ccxt knows ccxt."
}))

const groups = { ofRows, detours, ofFolders, forms: formLines, circle, refused: refusedLines, accepted: acceptedLines }

const lines = Object.entries(groups).flatMap(([group, planted]) => planted.map((line) => ({ ...line, group })))
const ofFile = Map.groupBy(lines, ({ file }) => file)

const Diagnostics = Schema.fromJsonString(
  Schema.Struct({
    diagnostics: Schema.Array(
      Schema.Struct({
        message: Schema.String,
        code: Schema.optionalKey(Schema.String),
        help: Schema.optionalKey(Schema.String),
        filename: Schema.String,
        labels: Schema.Array(Schema.Struct({ span: Schema.Struct({ line: Schema.Int }) }))
      })
    )
  })
)

/** The linter's messages, by file and line. */
const said = new Map<string, string>()

beforeAll(async () => {
  const files: Files = Object.fromEntries(
    [...ofFile].map(([file, inFile]) => [
      file,
      inFile.map(({ text }, index) => `${text.replaceAll("$", String(index))}\n`).join("")
    ])
  )
  await withFixtureRepo(files, async (root) => {
    const { output } = await run("oxlint", ["--format=json"], { cwd: root })
    for (const { code, filename, help, labels, message } of Schema.decodeSync(Diagnostics)(output).diagnostics) {
      const place = `${filename}:${labels[0]?.span.line ?? 0}`
      said.set(place, `${said.get(place) ?? ""}${code ?? ""}: ${message} ${help ?? ""}\n`)
    }
  })
}, 60_000)

/** The lines of a group on which the linter's output differs from the expected one. */
const misjudged = (name: keyof typeof groups) =>
  [...ofFile].flatMap(([file, inFile]) =>
    inFile.flatMap(({ group, says, spares, text }, index) => {
      if (group !== name) return []
      const judgement = said.get(`${file}:${index + 1}`) ?? ""
      if (says !== undefined) return judgement.includes(says) ? [] : [`${file} accepts ${text}, despite: ${says}`]
      const isSpared = spares === undefined ? judgement === "" : !judgement.includes(spares)
      return isSpared ? [] : [`${file} refuses ${text}: ${judgement}`]
    })
  )

describe("the table of directions", () => {
  const globs = new Map<string, ReadonlyArray<string>>()
  for (const glob of new Set(directions.flatMap(({ except = [], of }) => [...of, ...except])))
    globs.set(glob, globSync(glob, { cwd: join(import.meta.dirname, "../../.."), exclude: ["**/node_modules"] }))

  it("has a row for each folder of the server", () => {
    const entries = readdirSync(join(import.meta.dirname, "../../../apps/server/src"), { withFileTypes: true })
    const found = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
    const rows = Object.keys(serverFolders).filter((name) => !name.includes("/"))
    assert.deepStrictEqual(rows.toSorted(), found.toSorted())
  })

  it("names only existing files", () => {
    assert.deepStrictEqual(
      [...globs].filter(([, files]) => files.length === 0).map(([glob]) => glob),
      []
    )
  })

  it("has globs of which one contains the other, or that share no file", () => {
    const crossing = [...globs].flatMap(([one, files]) =>
      [...globs.keys()]
        .filter((other) => !matchesGlob(one, other) && !matchesGlob(other, one))
        .filter((other) => files.some((file) => matchesGlob(file, other)))
        .map((other) => `${one} and ${other}`)
    )
    assert.deepStrictEqual(crossing, [])
  })

  it("has a module to plant for each row", () => {
    const without = directions.filter(
      (row) => forbiddenBy(row, "").length === 0 || (needsExamples(row) && examples[row.says] === undefined)
    )
    const unknown = Object.keys(examples).filter((says) => !directions.some((row) => row.says === says))
    assert.deepStrictEqual([...without.map(({ says }) => says), ...unknown], [])
  })
})

describe("the linter", () => {
  it("refuses what a row forbids, where it holds, and nowhere else", () =>
    assert.deepStrictEqual(misjudged("ofRows"), []))

  it("refuses a folder at any depth below it, and however its path is written", () =>
    assert.deepStrictEqual(misjudged("detours"), []))

  it("accepts what a folder may import", () => assert.deepStrictEqual(misjudged("ofFolders"), []))

  it("refuses a module in each form in which it can be named", () => assert.deepStrictEqual(misjudged("forms"), []))

  it("refuses a cycle of imports", () => assert.deepStrictEqual(misjudged("circle"), []))

  it("refuses assertions, and time, randomness and output past Effect", () =>
    assert.deepStrictEqual(misjudged("refused"), []))

  it("accepts the rest", () => assert.deepStrictEqual(misjudged("accepted"), []))
})
