/** The allowed directions of imports, with the message for an author who breaks one. The linter enforces them. */

/**
 * A row applies to each file that matches its `of` and not its `except`. `oxlint.config.ts` turns the rows into rules.
 */
export interface Direction {
  /** Globs. Of two globs in the table, one contains the other, or they have no file in common. */
  readonly of: ReadonlyArray<string>
  readonly except?: ReadonlyArray<string>
  /**
   * Forbidden imports: `package`, `folder/` or `File.ts`; `!folder/File.ts` is an exception. In rows of the server a
   * folder is a path from `apps/server/src`.
   */
  readonly not?: ReadonlyArray<string | RegExp>
  /** The only name that may be imported from a package. */
  readonly but?: string
  /** The only allowed imports, apart from relative paths. */
  readonly only?: ReadonlyArray<string>
  readonly says: string
}

// oxfmt-ignore
export const betweenPackages: ReadonlyArray<Direction> = [
  { of: ["packages/*/src/**"], not: [/^effect\/[a-z][a-z-]*$/],
    says: "Import deep (effect/http/HttpClient, not effect/http)." },
  { of: ["packages/core/src/**"], only: ["effect/**"],
    says: "core imports only itself and effect by deep paths (effect/Schema, not effect)." },
  { of: ["packages/*/src/**"], except: ["packages/core/src/**", "packages/contract/src/**"], only: ["effect/**", "@chaintape/core"],
    says: "A client imports only itself, @chaintape/core and effect by deep paths (effect/Schema, not effect)." },
  { of: ["packages/contract/src/**"], only: ["effect/**", "@chaintape/core"],
    says: "The contract imports only itself, @chaintape/core and effect by deep paths (effect/Schema, not effect)." },
  { of: ["examples/**", "apps/demo/src/**"], not: ["@chaintape/server", "@chaintape/sandbox", "apps/"],
    says: "Examples and the demo are built on the packages only, never on the server or the sandbox." },
  { of: ["apps/sandbox/src/**"],
    not: ["@chaintape/server", /^@chaintape\/(cex|dex|blocks|contract|core\/(operations|streams|promise|testing))(\/|$)/, "ccxt"],
    says: "The sandbox is an outside world: it uses core's words at most, never the server, a client or ccxt." }
]

interface FolderRule<Folder extends string> {
  readonly imports: ReadonlyArray<Folder>
  readonly says: string
}

/** Makes the compiler refuse a folder without a row. */
const defineFolders = <Folder extends string>(folders: Readonly<Record<Folder, FolderRule<NoInfer<Folder>>>>) => folders

const domain =
  "A domain never imports another, except that dex reads blocks. http imports domains, never the other way round."

/** All that a folder of apps/server/src imports from the others, besides `internal`. */
// oxfmt-ignore
export const serverFolders = defineFolders({
  program: {
    imports: ["accounts", "auth", "blocks", "cex", "dex", "http", "live", "observability", "ownership", "sources",
      "status", "store", "web"],
    says: "program puts the parts together. Only main.ts loads the command line, and only where there are arguments." },
  http: { imports: ["auth", "blocks", "cex", "dex", "live", "observability", "status", "web"],
    says: "http serves what domains, auth and web answer: no accounts, commands, ownership or store." },
  web: { imports: ["accounts", "auth"],
    says: "A page shows accounts and keys; data of markets and chains it asks for like any caller. " +
      "http imports web, never the other way round." },
  observability: { imports: ["auth", "sources", "status", "web"],
    says: "Observability shows what auth, sources and status report. http imports it, never the other way round." },
  cex: { imports: ["archives", "live", "ownership", "sources", "status", "store"], says: domain },
  dex: { imports: ["archives", "live", "ownership", "sources", "status", "store", "blocks"], says: domain },
  blocks: { imports: ["live", "sources"], says: domain },
  accounts: { imports: ["auth"],
    says: "Accounts know of keys, and nothing of what the keys are for. web and commands import accounts, never the other " +
      "way round." },
  auth: { imports: ["store"],
    says: "auth knows no domain and no account. http, accounts, web and commands import auth, never the other way round." },
  live: { imports: [],
    says: "The domains and http import live, never the other way round." },
  archives: { imports: [],
    says: "The domains archive their rows: they import archives, never the other way round." },
  ownership: { imports: [],
    says: "Ownership knows names of work, and nothing of what the work is." },
  sources: { imports: [],
    says: "The domains import sources, never the other way round." },
  status: { imports: [],
    says: "The domains report their status, and http and observability show it. They import status, never the other way round." },
  store: { imports: [],
    says: "A store serves the domains and imports none. They import it, never the other way round." },
  internal: { imports: [],
    says: "Every folder imports internal, never the other way round." },
  cli: { imports: [],
    says: "A command is a client of a running service: it uses the packages, nothing of the server. One that opens the store has a folder and a row of its own." },
  "cli/store": { imports: ["store"],
    says: "Commands that open the store share how it is found and opened, and what they say of its failures: nothing else of the server." },
  "cli/operator": { imports: ["accounts", "auth", "store"],
    says: "A command of operators sees the store, the keys and the accounts, nothing else of the server." },
  "cli/import": { imports: ["cex", "ownership", "program", "store"],
    says: "An import writes the tape: it sees cex, its store and the configuration, nothing else of the server." },
  "cli/archive": { imports: ["archives", "cex", "dex"],
    says: "An archive holds what the tape and the index have: it sees cex, dex and their store, nothing else of the server." },
  "cli/verify": { imports: ["dex", "ownership", "program", "store"],
    says: "A verification is an index of its own: it sees dex, its store and the configuration, nothing else of the server." }
})

const handlers = ["cex/api/**", "dex/api/**", "blocks/api/**"]

/** Further rules of apps/server/src: globs relative to it. */
// oxfmt-ignore
export const inServer: ReadonlyArray<Direction> = [
  { of: ["**"], not: [/^\.\/\.\.\/|[^.]\/\.\.\//],
    says: "A path goes up first, then down: the rules of folders depend on it." },
  { of: ["**"], except: ["cex/ccxt/**"], not: ["ccxt"],
    says: "Only cex/ccxt knows ccxt." },
  { of: ["**"], except: ["cex/ccxt/**", "program/EarlyStart.ts"], not: ["node:module", "module"],
    says: "createRequire hides an import from these rules; only cex/ccxt loads a package that way." },
  { of: ["program/EarlyStart.ts"], not: ["node:module", "module"], but: "enableCompileCache",
    says: "createRequire hides an import from these rules; enableCompileCache does not." },
  { of: ["**"], except: ["http/socket/GuardedServer.ts", "http/socket/LoadShedder.ts", "observability/JsonLog.ts", "store/embedded/Engine.ts"],
    not: ["node:timers", "timers"],
    says: "Use Effect.sleep or a Schedule, so that tests control the time; only code that no fiber runs has a timer of the runtime." },
  { of: ["**"], not: ["@chaintape/cex", "@chaintape/dex", "@chaintape/blocks"],
    says: "The clients call the server; the server itself uses core." },
  { of: ["**"], except: ["program/OfflineWorld.ts"], not: ["@chaintape/sandbox"],
    says: "The sandbox is for tests and for the offline start (OfflineWorld.ts)." },
  { of: ["ownership/**"], not: [/^@chaintape\//], says: serverFolders.ownership.says },
  { of: ["**"], except: ["program/App.ts", "program/Dexes.ts", "cli/import/**", "cex/ccxt/**"], not: ["cex/ccxt/"],
    says: "Only the files excepted here name an adapter; use the ports of ccxt, ExchangeSource and TradeFlow." },
  { of: ["**"], except: ["program/App.ts", "program/Dexes.ts", "blocks/rpc/**", "dex/index/**"], not: ["blocks/rpc/"],
    says: "Only the files excepted here name an adapter; use the port of rpc, BlockSource." },
  { of: ["**"], except: ["program/App.ts", "program/Dexes.ts", "program/IndexConfigs.ts", "cli/archive/**", "cli/verify/**", "dex/index/**"], not: ["dex/index/"],
    says: "Only the files excepted here name an adapter; use the port of index, DexSource." },
  { of: ["**"], except: ["program/App.ts", "program/Dexes.ts", "dex/subgraph/**"], not: ["dex/subgraph/"],
    says: "Only the files excepted here name an adapter; use the port of subgraph, DexSource." },
  { of: ["cex/ccxt/**", "blocks/rpc/**", "dex/subgraph/**"], not: ["store/", "cex/tape/", "dex/index/"],
    says: "This adapter sees its port, never a store." },
  { of: [...handlers, "http/**"], not: ["*Source.ts", "TradeFlow.ts"],
    says: "Handlers and http see use cases, never a port." },
  { of: [...handlers, "http/**"], not: ["store/", "cex/tape/store/", "dex/index/store/", "*Store.ts"],
    says: "Handlers and http see use cases, never a store." },
  { of: [...handlers, "http/**", "live/**", "sources/**", "status/**", "observability/**"], except: ["http/response/Problems.ts"], not: ["effect/sql"],
    says: "Only stores and services that own their tables use SQL; Problems.ts distinguishes its failures from other defects." },
  { of: handlers, not: ["cex/tape/"],
    says: "Handlers see use cases, never the tape." },
  { of: ["**"], except: ["program/App.ts", "http/**"], not: ["*Handlers.ts"],
    says: "Handlers import use cases, never the other way round." },
  { of: ["accounts/**"], not: ["auth/authorization/", "auth/keys/", "!auth/keys/AccountKeys.ts", "auth/limits/", "!auth/limits/Limiter.ts",
      "auth/usage/"],
    says: "Accounts import AccountKeys and Limiter of auth, nothing else of its keys, limits and usage." },
  { of: ["accounts/**"], not: ["effect/sql"],
    except: ["accounts/AccountStore.ts", "accounts/Invitations.ts", "accounts/PasswordResets.ts", "accounts/Sessions.ts",
      "accounts/SignInThrottle.ts"],
    says: "Use cases of accounts call the service that owns the table; besides those, only SignInThrottle uses SQL: it reads the audit log." },
  { of: ["web/**"], not: ["effect/sql", "store/", "*Store.ts", "Sql*.ts"],
    says: "Pages see use cases, never a store." },
  { of: ["cli/*.ts"], not: [/^\.\.\//], says: serverFolders.cli.says },
  { of: ["cli/service/**", "cli/terminal/**", "cli/download/**", "cli/market/**", "cli/pool/**"], not: [/^\.\.\/\.\.\/[^/]+$/], says: serverFolders.cli.says }
]
