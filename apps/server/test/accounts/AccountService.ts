import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, Layer, Logger, References } from "effect"
import { HttpServer } from "effect/http"
import type { SqlClient } from "effect/sql"
import { Accounts } from "../../src/accounts/Accounts.ts"
import type { SignUpPolicy } from "../../src/accounts/Accounts.ts"
import { AccountStore } from "../../src/accounts/AccountStore.ts"
import { Invitations } from "../../src/accounts/Invitations.ts"
import { OwnAccount } from "../../src/accounts/OwnAccount.ts"
import { PasswordResets } from "../../src/accounts/PasswordResets.ts"
import { Passwords } from "../../src/accounts/Passwords.ts"
import { Sessions } from "../../src/accounts/Sessions.ts"
import { SignInThrottle } from "../../src/accounts/SignInThrottle.ts"
import type { ThrottleLimits } from "../../src/accounts/SignInThrottle.ts"
import { AuditLog } from "../../src/auth/AuditLog.ts"
import { CallerAddress } from "../../src/auth/CallerAddress.ts"
import type { AccountKeys } from "../../src/auth/keys/AccountKeys.ts"
import { ApiKeys } from "../../src/auth/keys/ApiKeys.ts"
import { ApiKeyStore } from "../../src/auth/keys/ApiKeyStore.ts"
import * as SqlAccountKeys from "../../src/auth/keys/SqlAccountKeys.ts"
import { Limiter } from "../../src/auth/limits/Limiter.ts"
import { toLimits } from "../../src/auth/limits/Plans.ts"
import { Usage } from "../../src/auth/usage/Usage.ts"
import { UsageStore } from "../../src/auth/usage/UsageStore.ts"
import { listen, serve } from "../../src/http/HttpServer.ts"
import { RedisLink } from "../../src/store/RedisLink.ts"
import * as AccountRoutes from "../../src/web/AccountRoutes.ts"
import { domainOf } from "../NoSources.ts"
import { embeddedDatabase, serverDatabase } from "../OwnDatabase.ts"

/** Password hashes at minimal cost: the real cost has its own test. */
export const cheap = { log2N: 4, r: 8, p: 1, atOnce: 4, waiting: 100 }

const boundless = { attempts: 1_000_000, window: "1 second" } as const

export const unthrottled: ThrottleLimits = {
  address: boundless,
  accountFromAddress: boundless,
  account: boundless,
  session: boundless,
  signUp: boundless
}

export interface AccountOptions {
  readonly policy?: SignUpPolicy
  readonly throttle?: ThrottleLimits
  /** A PostgreSQL server, instead of the embedded database. */
  readonly server?: string | undefined
}

const endless = { burst: 1_000_000, perSecond: 100_000 }
const generous = toLimits({
  plans: { default: endless },
  address: endless,
  wrongKeys: endless
})

type Parts =
  | Accounts
  | AuditLog
  | Invitations
  | OwnAccount
  | PasswordResets
  | Passwords
  | Sessions
  | SignInThrottle
  | AccountKeys
  | ApiKeys
  | ApiKeyStore
  | RedisLink
  | Usage
  | SqlClient.SqlClient

/** The services behind the pages. */
export const accountParts = ({ policy, server, throttle = unthrottled }: AccountOptions = {}): Layer.Layer<
  Parts,
  unknown
> =>
  Layer.mergeAll(
    Accounts.layer(policy),
    OwnAccount.layer,
    SignInThrottle.layerTest(throttle).pipe(Layer.provide(Limiter.layer))
  ).pipe(
    Layer.provideMerge(PasswordResets.layer),
    Layer.provideMerge(Layer.mergeAll(Invitations.layer, Passwords.layerTest(cheap), Sessions.layer)),
    Layer.provide(AccountStore.layer),
    Layer.provideMerge(SqlAccountKeys.layer),
    Layer.provideMerge(Usage.layer),
    Layer.provideMerge(ApiKeys.layer),
    Layer.provideMerge(Layer.mergeAll(ApiKeyStore.layer, UsageStore.layer, RedisLink.layerNone)),
    Layer.provideMerge(AuditLog.layer),
    Layer.provideMerge(server === undefined ? embeddedDatabase : serverDatabase(server))
  )

/** The service with its account pages, on a free port, and the services behind them. */
export class AccountService extends Context.Service<
  AccountService,
  {
    readonly origin: string
    readonly parts: Context.Context<Parts>
    /** Everything that the service has logged. */
    readonly log: ReadonlyArray<string>
  }
>()("@chaintape/server/test/accounts/AccountService") {
  static readonly layer = (options: AccountOptions = {}): Layer.Layer<AccountService, unknown> =>
    Layer.effect(
      AccountService,
      Effect.gen(function* () {
        const log: Array<string> = []
        const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => log.push(line))])
        const example = "/v2/cex/exchanges"
        const built = yield* Layer.build(
          serve({ path: example, parameters: new Map() }, generous, AccountRoutes.layer(example)).pipe(
            Layer.provide(domainOf({})),
            Layer.provide(CallerAddress.layer(["127.0.0.1"])),
            Layer.provideMerge(accountParts(options)),
            Layer.provideMerge(listen({ host: "127.0.0.1", port: 0 })),
            Layer.provide(logger),
            Layer.provide(Layer.succeed(References.MinimumLogLevel, "Debug")),
            Layer.provide(NodeServices.layer)
          )
        )
        const origin = HttpServer.formatAddress(Context.get(built, HttpServer.HttpServer).address)
        return AccountService.of({ origin, log, parts: built })
      })
    )
}

/** Runs an effect on the services behind the pages. */
export const behind = <A, E>(effect: Effect.Effect<A, E, Parts>) =>
  Effect.flatMap(AccountService, ({ parts }) => Effect.provideContext(effect, parts))
