import { Cex } from "@chaintape/cex"
import type { Pool, Token } from "@chaintape/core"
import { Dex } from "@chaintape/dex"
import * as Effect from "effect/Effect"
import { parseDeployment } from "../dex/moment/Deployment.ts"
import { toSymbol, toVisible } from "../dex/name/TokenName.tsx"
import { dexHref, exchangeHref, marketHref, tokenHref } from "../route/Route.ts"
import { countRequests } from "../service/Budget.ts"
import { isSourceUnavailable } from "../service/problem/SourceUnavailable.ts"
import type { SourceStatus } from "../service/Status.ts"
import { readStatus } from "../service/Status.ts"
import type { Target, Targets } from "./Target.ts"

const toMarket = (exchange: string, market: string): Target => ({
  kind: "market",
  href: marketHref(exchange, market),
  names: [market],
  note: exchange,
  words: exchange
})

const toPool = (name: string, { feeTier, id, token0, token1 }: Pool): Target => ({
  kind: "pool",
  href: dexHref(name, id),
  names: [toSymbol(token0), toSymbol(token1)],
  address: id,
  note: `${Number(feeTier) / 10_000} %, ${name}`,
  words: `${toVisible(token0.name)} ${toVisible(token1.name)} ${Number(feeTier) / 10_000}%`
})

const toToken = (name: string, token: Token): Target => ({
  kind: "token",
  href: tokenHref(name, token.id),
  names: [toSymbol(token)],
  address: token.id,
  note: name,
  words: toVisible(token.name)
})

/** The largest ones. */
const largest = { orderBy: "totalValueLockedUSD", orderDirection: "desc", limit: 1000 } as const

const readDeployment = Effect.fnUntraced(function* (name: string) {
  const dex = yield* Dex
  const request = { ...parseDeployment(name), ...largest }
  const pools = yield* countRequests(dex.withResponse.pools(request))
  const tokens = yield* countRequests(dex.withResponse.tokens(request))
  return [...tokens.value.map((token) => toToken(name, token)), ...pools.value.map((pool) => toPool(name, pool))]
})

/** Every exchange that the service can read. */
const readExchanges = Effect.gen(function* () {
  const cex = yield* Cex
  const { value } = yield* countRequests(cex.withResponse.exchanges({}))
  return value.map(({ id, name }): Target => ({
    kind: "exchange",
    href: exchangeHref(id),
    names: [name],
    note: id,
    words: id
  }))
})

const readMarkets = Effect.fnUntraced(function* (exchange: string) {
  const cex = yield* Cex
  const { value } = yield* countRequests(cex.withResponse.markets({ exchange }))
  return value.map(({ market }) => toMarket(exchange, market))
})

/** One source that fails takes none of the others out of the search. */
const orNone = Effect.catchIf(isSourceUnavailable, () => Effect.succeed<ReadonlyArray<Target>>([]))

/** Recorded markets, all markets of their exchanges, the pools and tokens with the most value, and all exchanges. */
export const readTargets = Effect.gen(function* () {
  const { recordings, sources } = yield* readStatus
  const named = (kind: SourceStatus["kind"]) => sources.filter((source) => source.kind === kind).map(({ id }) => id)
  const deployments = named("dex")
  const recorded = recordings.map(({ exchange, market }) => toMarket(exchange, market))
  const exchanges = [...new Set(recordings.map(({ exchange }) => exchange))]
  const listed = yield* Effect.forEach(exchanges, (exchange) => orNone(readMarkets(exchange)))
  const readable = yield* orNone(readExchanges)
  const ofDeployments = yield* Effect.forEach(deployments, (name) => orNone(readDeployment(name)))
  const all = [...recorded, ...listed.flat(), ...ofDeployments.flat(), ...readable]
  const known = [...new Map(all.map((target) => [target.href, target])).values()]
  const blockchains = sources.flatMap(({ head, id, kind }) =>
    kind === "blockchain" ? [{ id, head: head ?? undefined }] : []
  )
  return { known, deployments, blockchains } satisfies Targets
})
