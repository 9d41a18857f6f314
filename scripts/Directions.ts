/** The law of the house: which way imports go, and the sentence for an author who goes another. The linter enforces it. */

/** Files obey each row whose `of` they match, apart from rows that `except` them. `oxlint.config.ts` makes rules of rows. */
export interface Direction {
  /** Globs. Of two in the table, one has all files of the other, or they share none. */
  readonly of: ReadonlyArray<string>
  readonly except?: ReadonlyArray<string>
  /** Never imported: `package`, `folder/` or `File.ts`, apart from each `!folder/File.ts`. */
  readonly not?: ReadonlyArray<string | RegExp>
  /** The one name of a package that may be imported. */
  readonly but?: string
  /** Nothing else is imported, apart from relative paths. */
  readonly only?: ReadonlyArray<string>
  readonly says: string
}

// oxfmt-ignore
export const betweenPackages: ReadonlyArray<Direction> = [
  { of: ["packages/*/src/**"], not: [/^effect\/[a-z][a-z-]*$/],
    says: "Import deep (effect/http/HttpClient, not effect/http)." },
  { of: ["packages/core/src/**"], only: ["effect/**"],
    says: "core imports only itself and effect by deep paths (effect/Schema, not effect)." },
  { of: ["packages/*/src/**"], except: ["packages/core/src/**"], only: ["effect/**", "@chaintape/core"],
    says: "A client imports only itself, @chaintape/core and effect by deep paths (effect/Schema, not effect)." },
  { of: ["examples/**", "apps/demo/src/**"], not: ["@chaintape/server", "@chaintape/sandbox", "apps/"],
    says: "Examples and the demo are built on the packages only, never on the server or the sandbox." },
  { of: ["apps/sandbox/src/**"],
    not: ["@chaintape/server", /^@chaintape\/(cex|dex|blocks|core\/(api|client|promise|stream|testing))(\/|$)/, "ccxt"],
    says: "The sandbox is an outside world: it uses core's words at most, never the server, a client or ccxt." }
]

interface FolderLaw<Folder extends string> {
  readonly imports: ReadonlyArray<Folder>
  readonly says: string
}

/** Has the compiler refuse a folder that has no row. */
const lawOf = <Folder extends string>(folders: Readonly<Record<Folder, FolderLaw<NoInfer<Folder>>>>) => folders

const domain =
  "A domain never imports another, except that dex reads blocks. http imports domains, never the other way round."

/** All that a folder of apps/server/src imports of the others, besides `internal`. What is beside App.ts imports any. */
// oxfmt-ignore
export const serverFolders = lawOf({
  http: { imports: ["answers", "blocks", "cex", "dex", "keys", "live", "observability", "pages", "sources"],
    says: "http serves what domains, keys and pages answer: no accounts, commands, ownership or store." },
  pages: { imports: ["accounts", "keys"],
    says: "A page shows accounts and keys; data of markets and chains it asks for like any caller. " +
      "http imports pages, never the other way round." },
  observability: { imports: ["keys", "pages", "sources"],
    says: "Observability shows what keys and sources tell. http imports it, never the other way round." },
  cex: { imports: ["answers", "live", "observability", "ownership", "sources", "store"], says: domain },
  dex: { imports: ["answers", "live", "observability", "ownership", "sources", "store", "blocks"], says: domain },
  blocks: { imports: ["answers", "live", "observability", "ownership", "sources", "store"], says: domain },
  accounts: { imports: ["keys", "store"],
    says: "Accounts know of keys, and nothing of what the keys are for. " +
      "Pages and commands use the accounts, never the other way round." },
  keys: { imports: ["accounts", "store"],
    says: "The keys know no domain. http, pages and commands use the keys, never the other way round." },
  answers: { imports: ["sources"],
    says: "The domains and http import answers, never the other way round." },
  live: { imports: [],
    says: "The domains and http import live, never the other way round." },
  ownership: { imports: [],
    says: "Ownership knows names of work, and nothing of what the work is." },
  sources: { imports: [],
    says: "The domains and http import sources, never the other way round." },
  store: { imports: [],
    says: "A store serves the domains and imports none. They import it, never the other way round." },
  internal: { imports: [],
    says: "Every folder imports internal, never the other way round." },
  cli: { imports: [],
    says: "The command line is a client of a running service: it uses the packages, nothing of the server." },
  "cli/operator": { imports: ["accounts", "keys", "store"],
    says: "A command of operators sees the store, the keys and the accounts, nothing else of the server." }
})

const parts = Object.keys(serverFolders).filter((name) => !name.startsWith("cli"))

const handlers = ["cex/*Handlers.ts", "dex/*Handlers.ts", "blocks/*Handlers.ts"]

/** What else holds in apps/server/src: globs from there on. */
// oxfmt-ignore
export const inServer: ReadonlyArray<Direction> = [
  { of: ["**"], except: ["cex/ccxt/**"], not: ["ccxt"],
    says: "Only cex/ccxt knows ccxt." },
  { of: ["**"], except: ["cex/ccxt/**", "EarlyStart.ts"], not: ["node:module", "module"],
    says: "createRequire hides an import from these rules; only cex/ccxt loads a package that way." },
  { of: ["EarlyStart.ts"], not: ["node:module", "module"], but: "enableCompileCache",
    says: "createRequire hides an import from these rules; enableCompileCache does not." },
  { of: ["**"], except: ["cli/**"], not: ["@chaintape/cex", "@chaintape/dex", "@chaintape/blocks"],
    says: "The clients call the server; the server itself uses core." },
  { of: ["**"], except: ["OfflineWorld.ts"], not: ["@chaintape/sandbox"],
    says: "The sandbox is for tests and for the offline start (OfflineWorld.ts)." },
  { of: ["ownership/**"], not: [/^@chaintape\//], says: serverFolders.ownership.says },
  { of: ["answers/**"], not: [/^@chaintape\//],
    says: "An answer is text here, whatever it says." },
  { of: ["**"], except: ["App.ts", "Dexes.ts", "cex/ccxt/**"], not: ["ccxt/"],
    says: "Only App.ts and Dexes.ts name an adapter; use the ports of ccxt, ExchangeSource and TradeFlow." },
  { of: ["**"], except: ["App.ts", "Dexes.ts", "blocks/rpc/**", "dex/index/**"], not: ["rpc/"],
    says: "Only App.ts and Dexes.ts name an adapter; use the port of rpc, BlockSource." },
  { of: ["**"], except: ["App.ts", "Dexes.ts", "dex/index/**"], not: ["index/"],
    says: "Only App.ts and Dexes.ts name an adapter; use the port of index, DexSource." },
  { of: ["**"], except: ["App.ts", "Dexes.ts", "dex/subgraph/**"], not: ["subgraph/"],
    says: "Only App.ts and Dexes.ts name an adapter; use the port of subgraph, DexSource." },
  { of: ["cex/ccxt/**", "blocks/rpc/**", "dex/subgraph/**"], not: ["store/", "tape/"],
    says: "This adapter sees its port, never a store." },
  { of: [...handlers, "http/**"], not: ["*Source.ts", "TradeFlow.ts"],
    says: "Handlers and http see use cases, never a port." },
  { of: [...handlers, "http/**"], not: ["store/", "*Store.ts"],
    says: "Handlers and http see use cases, never a store." },
  { of: handlers, not: ["tape/"],
    says: "Handlers see use cases, never the tape." },
  { of: ["**"], except: ["App.ts", "http/**"], not: ["*Handlers.ts"],
    says: "Handlers import use cases, never the other way round." },
  { of: ["keys/**"], not: ["accounts/", "!accounts/AuditLog.ts"],
    says: "Of the accounts, the keys know the audit log alone." },
  { of: ["accounts/**"], not: ["keys/", "!keys/AccountKeys.ts", "!keys/AddressBlock.ts"],
    says: "Of the keys, accounts know AccountKeys and AddressBlock alone." },
  { of: ["pages/**"], not: ["effect/sql", "store/", "*Store.ts", "Sql*.ts"],
    says: "Pages see use cases, never a store." },
  { of: ["cli/*.ts"], not: [/^\.\.\//], says: serverFolders.cli.says },
  { of: ["*.ts"], except: ["main.ts"], not: ["cli/"],
    says: "Only main.ts loads the command line, and only where there are arguments." },
  { of: parts.map((name) => `${name}/*.ts`), not: [/^\.\.\/[^/]+$/],
    says: "App.ts puts the parts together: a part imports nothing that stands beside App.ts." }
]
