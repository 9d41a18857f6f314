import { readdirSync } from "node:fs"
import * as Schema from "effect/Schema"
import { assert, beforeAll, describe, it } from "vitest"
import { run } from "../Command.ts"
import { type Files, inHouse } from "./House.ts"

/** A line of code in a file, and what the linter must say of it, if anything. `$` makes its names unique in the file. */
type Line = readonly [file: string, line: string, says: RegExp | undefined]

const imports = (file: string, from: string, says: RegExp | undefined): Line => [
  file,
  `import type { X$ } from "${from}"; export type Y$ = X$`,
  says
]

const forbids = (file: string, from: ReadonlyArray<string>, says: RegExp) =>
  from.map((name) => imports(file, name, says))
const allows = (file: string, from: ReadonlyArray<string>) => from.map((name) => imports(file, name, undefined))

const server = (file: string) => `apps/server/src/${file}`

const packages: ReadonlyArray<Line> = [
  ...forbids("packages/core/src/A.ts", ["@chaintape/cex", "@chaintape/server", "viem", "node:fs"], /core imports only/),
  ...forbids("packages/core/src/cex/A.ts", ["effect"], /effect\/Schema, not effect/),
  ...forbids("packages/core/src/A.ts", ["effect/http", "effect/http-api"], /Import deep/),
  ...allows("packages/core/src/A.ts", ["effect/Schema", "effect/http/HttpClient", "./cex/B.ts", "../B.ts"]),
  ...["cex", "dex", "blocks"].flatMap((name) => [
    ...forbids(
      `packages/${name}/src/A.ts`,
      ["@chaintape/server", "@chaintape/sandbox", `@chaintape/${name === "cex" ? "blocks" : "cex"}`, "viem", "node:fs"],
      /A client imports only/
    ),
    ...forbids(`packages/${name}/src/A.ts`, ["effect"], /effect\/Schema, not effect/),
    ...forbids(`packages/${name}/src/A.ts`, ["effect/http"], /Import deep/),
    ...allows(`packages/${name}/src/A.ts`, ["@chaintape/core", "@chaintape/core/api/CexOperations", "effect/Effect"])
  ]),
  ...forbids(
    "examples/A.ts",
    ["@chaintape/server", "@chaintape/sandbox", "../apps/server/src/App.ts"],
    /packages only/
  ),
  ...allows("examples/A.ts", ["@chaintape/core", "@chaintape/cex", "effect", "@effect/platform-node"]),
  ...forbids("apps/demo/src/A.ts", ["@chaintape/server", "@chaintape/sandbox"], /packages only/),
  ...forbids(
    "apps/sandbox/src/exchange/A.ts",
    ["@chaintape/server", "@chaintape/cex", "@chaintape/core/api/CexApi", "@chaintape/core/client/Client", "ccxt"],
    /core's words at most/
  ),
  ...allows("apps/sandbox/src/exchange/A.ts", ["@chaintape/core/cex/Timeframe", "effect", "viem"])
]

const adapter = /Only App\.ts and Dexes\.ts name an adapter/
const domain = /A domain never imports another/
const upwards = /never the other way round/

/** The domains, their adapters, and the domains that they may not import. */
const domains = [
  { name: "cex", port: "ExchangeSource", adapters: ["ccxt"], foreign: ["dex", "blocks", "keys"] },
  { name: "blocks", port: "BlockSource", adapters: ["rpc"], foreign: ["cex", "dex", "keys"] },
  { name: "dex", port: "DexSource", adapters: ["index", "subgraph"], foreign: ["cex", "keys"] }
]

const ofDomain = domains.flatMap(({ adapters, foreign, name, port }): ReadonlyArray<Line> => {
  const useCase = server(`${name}/UseCase.ts`)
  const handlers = server(`${name}/SomeHandlers.ts`)
  const inside = adapters.map((folder) => ({ folder, file: server(`${name}/${folder}/Some${port}.ts`) }))
  return [
    ...forbids(
      useCase,
      adapters.map((folder) => `./${folder}/X.ts`),
      adapter
    ),
    ...forbids(
      useCase,
      foreign.map((other) => `../${other}/X.ts`),
      domain
    ),
    ...forbids(useCase, ["../http/HttpServer.ts", "./SomeHandlers.ts"], upwards),
    ...allows(useCase, [`./${port}.ts`, "../store/Database.ts", "./XStore.ts", "../observability/Status.ts", "effect"]),
    ...forbids(
      server(`${name}/record/Recorder.ts`),
      adapters.map((folder) => `../${folder}/X.ts`),
      adapter
    ),
    ...forbids(
      handlers,
      adapters.map((folder) => `./${folder}/X.ts`),
      adapter
    ),
    ...forbids(handlers, [`./${port}.ts`], /never a port/),
    ...forbids(handlers, ["../store/Database.ts", "./record/TradeStore.ts", "./XStore.ts"], /never a store/),
    ...forbids(handlers, ["../http/HttpServer.ts"], upwards),
    ...forbids(
      handlers,
      foreign.map((other) => `../${other}/X.ts`),
      domain
    ),
    ...allows(handlers, ["./UseCase.ts", "@chaintape/core/api/Api", "effect/http-api"]),
    ...inside.flatMap(({ file, folder }) => [
      ...forbids(file, ["../SomeHandlers.ts", "../../http/HttpServer.ts"], upwards),
      ...forbids(
        file,
        foreign.map((other) => `../../${other}/X.ts`),
        domain
      ),
      ...forbids(
        file,
        adapters.filter((other) => other !== folder).map((other) => `../${other}/X.ts`),
        adapter
      ),
      ...allows(file, [`../${port}.ts`, "./X.ts", "./internal/X.ts"]),
      ...(folder === "index"
        ? allows(file, ["../../store/Database.ts", "../../blocks/rpc/JsonRpc.ts"])
        : forbids(file, ["../../store/Database.ts"], /never a store/))
    ])
  ]
})

const folders = readdirSync(new URL("../../apps/server/src", import.meta.url), { withFileTypes: true }).flatMap(
  (entry) => (entry.isDirectory() && entry.name !== "internal" ? [entry.name] : [])
)

/** Folders that the others import, and what they may import themselves. */
const below: ReadonlyArray<Line> = [
  { folder: "live", may: [], why: upwards },
  { folder: "ownership", may: [], why: /nothing of what the work is/ },
  { folder: "answers", may: ["sources"], why: upwards }
].flatMap(({ folder, may, why }) => [
  ...forbids(
    server(`${folder}/A.ts`),
    folders.filter((other) => other !== folder && !may.includes(other)).map((other) => `../${other}/X.ts`),
    why
  ),
  ...allows(server(`${folder}/A.ts`), ["../internal/X.ts", "./X.ts", ...may.map((other) => `../${other}/X.ts`)])
])

const everywhere = [
  "cex/A.ts",
  "blocks/rpc/A.ts",
  "http/A.ts",
  "keys/A.ts",
  "accounts/A.ts",
  "pages/A.ts",
  "store/A.ts",
  "observability/A.ts",
  "App.ts"
]

const inServer: ReadonlyArray<Line> = [
  ...ofDomain,
  ...below,
  ...allows(server("dex/Pools.ts"), ["../blocks/Blocks.ts"]),
  ...everywhere.flatMap((file) => [
    ...forbids(server(file), ["ccxt", "ccxt/js/ccxt.js"], /Only cex\/ccxt knows ccxt/),
    ...forbids(server(file), ["node:module"], /createRequire hides/),
    ...forbids(server(file), ["@chaintape/cex", "@chaintape/dex", "@chaintape/blocks"], /The clients call the server/)
  ]),
  ...["cex/A.ts", "http/A.ts", "keys/A.ts", "accounts/A.ts", "pages/A.ts", "store/A.ts", "observability/A.ts"].flatMap(
    (file) => forbids(server(file), ["@chaintape/sandbox"], /The sandbox is for tests/)
  ),
  ...allows(server("cex/ccxt/A.ts"), ["ccxt", "node:module"]),
  ...forbids(server("http/A.ts"), ["../cex/ccxt/X.ts", "../blocks/rpc/X.ts"], adapter),
  ...forbids(server("http/A.ts"), ["../cex/ExchangeSource.ts"], /never a port/),
  ...forbids(server("http/A.ts"), ["../store/Database.ts", "../keys/ApiKeyStore.ts"], /never a store/),
  ...allows(server("http/A.ts"), ["../cex/Trades.ts", "../keys/ApiKeys.ts", "../cex/CexHandlers.ts"]),
  ...forbids(server("keys/A.ts"), ["../cex/X.ts", "../dex/X.ts", "../blocks/X.ts"], domain),
  ...forbids(server("keys/A.ts"), ["../http/X.ts"], upwards),
  ...forbids(server("keys/A.ts"), ["../pages/X.ts", "../cli/operator/X.ts"], upwards),
  ...forbids(server("keys/A.ts"), ["../accounts/Accounts.ts", "../accounts/Sessions.ts"], /the audit log alone/),
  ...allows(server("keys/A.ts"), ["../store/Database.ts", "./ApiKeyStore.ts", "../accounts/AuditLog.ts"]),
  ...forbids(server("accounts/A.ts"), ["../http/X.ts", "../pages/X.ts", "../cli/operator/X.ts"], upwards),
  ...forbids(
    server("accounts/A.ts"),
    ["../cex/X.ts", "../dex/X.ts", "../blocks/X.ts", "../sources/X.ts", "../observability/X.ts"],
    /nothing of what the keys are for/
  ),
  ...forbids(
    server("accounts/A.ts"),
    ["../keys/ApiKeys.ts", "../keys/ApiKeyStore.ts", "../keys/KeyRevocations.ts"],
    /AccountKeys and AddressBlock alone/
  ),
  ...allows(server("accounts/A.ts"), [
    "./AuditLog.ts",
    "../keys/AccountKeys.ts",
    "../keys/AddressBlock.ts",
    "../store/Database.ts",
    "effect/sql"
  ]),
  ...forbids(server("pages/A.ts"), ["../http/X.ts"], upwards),
  ...forbids(
    server("pages/A.ts"),
    ["../cex/X.ts", "../dex/X.ts", "../blocks/X.ts", "../sources/X.ts", "../cli/X.ts"],
    /like any caller/
  ),
  ...forbids(
    server("pages/A.ts"),
    ["effect/sql", "../store/Database.ts", "../keys/ApiKeyStore.ts", "../keys/SqlAccountKeys.ts"],
    /never a store/
  ),
  ...allows(server("pages/A.ts"), ["../accounts/Accounts.ts", "../keys/AccountKeys.ts", "./Html.ts", "effect/http"]),
  ...forbids(server("store/A.ts"), ["../cex/X.ts", "../dex/X.ts", "../blocks/X.ts", "../keys/X.ts"], /imports none/),
  ...forbids(server("store/A.ts"), ["../http/X.ts"], upwards),
  ...forbids(server("observability/Status.ts"), ["../cex/ccxt/X.ts"], adapter),
  ...forbids(server("Config.ts"), ["./cex/ccxt/X.ts", "./dex/index/X.ts"], adapter),
  ...allows(server("App.ts"), [
    "./cex/ccxt/X.ts",
    "./blocks/rpc/X.ts",
    "./dex/index/X.ts",
    "./dex/subgraph/X.ts",
    "./store/Database.ts",
    "./http/HttpServer.ts",
    "./cex/CexHandlers.ts",
    "@chaintape/sandbox"
  ])
]

const assertion = /consistent-type-assertions/
const statements: ReadonlyArray<Line> = ["packages/core/src/", "apps/server/src/cex/", "apps/sandbox/src/"].flatMap(
  (folder): ReadonlyArray<Line> => [
    [`${folder}A.ts`, "export const x$ = (y: unknown) => y as string", assertion],
    [`${folder}A.ts`, "export const x$ = (y: unknown) => <string>y", assertion],
    [`${folder}A.ts`, "export const x$ = (y: number) => y as unknown as string", assertion],
    [`${folder}internal/A.ts`, "export const x$ = (y: unknown) => y as string", undefined],
    [`${folder}A.ts`, 'export const x$ = ["a", "b"] as const satisfies ReadonlyArray<string>', undefined],
    [`${folder}A.ts`, "export const x$ = (y: any) => y", /no-explicit-any/],
    [`${folder}internal/A.ts`, "export const x$ = (y: any) => y", /no-explicit-any/],
    [`${folder}A.ts`, "export const x$ = (y?: string) => y!.length", /no-non-null-assertion/],
    [`${folder}A.ts`, 'export const x$ = () => console.log("x")', /Effect\.log or Console/],
    [`${folder}A.ts`, 'export const x$ = () => globalThis.console.log("x")', /Effect\.log or Console/],
    [`${folder}A.ts`, "export const x$ = () => Date.now()", /Use Clock/],
    [`${folder}A.ts`, "export const { now: x$ } = Date", /Use Clock/],
    [
      `${folder}A.ts`,
      "declare const Clock: { currentTimeNanos: unknown }; export const x$ = Clock.currentTimeNanos",
      /monotonic/
    ],
    [`${folder}A.ts`, "export const x$ = () => performance.now()", /Use Clock/],
    [`${folder}A.ts`, "export const x$ = () => Math.random()", /Use Random/],
    [`${folder}A.ts`, "export const x$ = (y: () => void) => setTimeout(y, 1)", /Use Effect\.sleep/],
    [`${folder}A.ts`, "export const x$ = (y: () => void) => globalThis.setTimeout(y, 1)", /Use Effect\.sleep/],
    [`${folder}A.ts`, "export const x$ = (y: () => void) => setInterval(y, 1)", /Use Effect\.repeat/],
    [`${folder}A.ts`, "export const x$ = (y: () => void) => setImmediate(y)", /Use Effect\.yieldNow/]
  ]
)

const entryPoints: ReadonlyArray<Line> = [
  [server("main.ts"), 'console.log("x")', undefined],
  ["apps/sandbox/src/main.ts", 'console.log("x")', undefined],
  [server("main.ts"), "export const x$ = (y: unknown) => y as string", assertion]
]

/** The forms in which a module can be named. */
const forms: ReadonlyArray<Line> = [
  'import "ccxt"',
  'import ccxt$ from "ccxt"; export const x$ = ccxt$',
  'import * as ccxt$ from "ccxt"; export const x$ = ccxt$',
  'export * from "ccxt"',
  'export { x as x$ } from "ccxt"',
  'export const x$ = import("ccxt")'
].map((line) => [server("cex/Forms.ts"), line, /Only cex\/ccxt knows ccxt/])

const cases = [...packages, ...inServer, ...statements, ...entryPoints, ...forms].map(([file, line, says], index) => ({
  file,
  text: line.replaceAll("$", String(index)),
  says,
  index
}))

const ofFile = Map.groupBy(cases, ({ file }) => file)

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

/** What the linter says, by file and line. */
const said = new Map<string, string>()

beforeAll(async () => {
  const files: Files = Object.fromEntries(
    [...ofFile].map(([file, inFile]) => [file, `${inFile.map(({ text }) => text).join("\n")}\n`])
  )
  await inHouse(files, async (root) => {
    const { output } = await run("oxlint", ["--format=json"], { cwd: root })
    for (const { code, filename, help, labels, message } of Schema.decodeSync(Diagnostics)(output).diagnostics) {
      const place = `${filename}:${labels[0]?.span.line ?? 0}`
      said.set(place, `${said.get(place) ?? ""}${code ?? ""}: ${message} ${help ?? ""}\n`)
    }
  })
}, 300_000)

const judgement = ({ file, index }: { readonly file: string; readonly index: number }) => {
  const line = (ofFile.get(file) ?? []).findIndex((one) => one.index === index) + 1
  return said.get(`${file}:${line}`) ?? ""
}

describe("the linter", () => {
  it.each(cases.filter(({ says }) => says !== undefined))("refuses $text in $file", (one) => {
    assert.match(judgement(one), one.says ?? /never/)
  })

  it.each(cases.filter(({ says }) => says === undefined))("accepts $text in $file", (one) => {
    assert.strictEqual(judgement(one), "")
  })
})

describe("a circle of imports", { timeout: 180_000 }, () => {
  const there = { "apps/server/src/A.ts": 'import { b } from "./B.ts"\n\nexport const a = () => b\n' }
  const back = { "apps/server/src/B.ts": 'import { a } from "./A.ts"\n\nexport const b = () => a\n' }
  const straight = { "apps/server/src/B.ts": "export const b = 1\n" }
  const lint = (files: Files) => inHouse(files, (root) => run("oxlint", [], { cwd: root }))

  it("is refused", async () => {
    const { code, output } = await lint({ ...there, ...back })
    assert.notStrictEqual(code, 0)
    assert.match(output, /import\(no-cycle\)/)
    const repaired = await lint({ ...there, ...straight })
    assert.strictEqual(repaired.code, 0, repaired.output)
  })
})
