import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Clock, Context, Effect, Layer, Option, Path } from "effect"
import { HttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { makeChainReader } from "../../dex/index/chain/ChainReader.ts"
import type { ChainReader } from "../../dex/index/chain/ChainReader.ts"
import type { IndexConfig } from "../../dex/index/IndexConfig.ts"
import * as SqlDexView from "../../dex/index/read/SqlDexView.ts"
import { recompute } from "../../dex/index/run/Recomputation.ts"
import { EntityStore } from "../../dex/index/store/EntityStore.ts"
import * as SqlEntityStore from "../../dex/index/store/SqlEntityStore.ts"
import { groupDigits } from "../../internal/groupDigits.ts"
import { Lease, take } from "../../ownership/Lease.ts"
import * as Database from "../../store/Database.ts"
import type { AccessKey } from "../service/AccessKey.ts"
import { createClient } from "../service/ServiceClient.ts"
import { toFailure } from "../terminal/CommandError.ts"
import { Progress } from "../terminal/Progress.ts"
import { compareState, compareStates, compareTrades } from "./Comparison.ts"
import type { Sides } from "./Comparison.ts"
import { locateState, locateTrade } from "./DifferenceLocation.ts"
import { databaseDirectory, evidenceFile, openCurrentEvidence } from "./Evidence.ts"
import type { Evidence, VerificationProgress } from "./Evidence.ts"
import { makeIndexReads } from "./IndexReads.ts"
import { makeServiceReads } from "./ServiceReads.ts"
import type { ServiceReads } from "./ServiceReads.ts"
import { toVerdict } from "./Verdict.ts"
import type { Compared, VerifiedIndex } from "./Verdict.ts"

export interface VerificationRequest extends VerifiedIndex {
  readonly target: IndexConfig
  readonly block: number | undefined
  readonly every: number | undefined
  readonly directory: string
  readonly key: Option.Option<AccessKey>
}

const withFailureText = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.mapError(effect, ({ message }) => toFailure(message))

/** The last block of the verification: one that no reorg reaches. */
const findLastBlock = Effect.fnUntraced(function* (
  { block, target, url }: VerificationRequest,
  reader: ChainReader,
  service: ServiceReads
) {
  const asOf = yield* service.asOf(block)
  const { final, head } = yield* withFailureText(reader.readHead(target.startBlock))
  const last = block ?? Math.min(final, Number(asOf.number))
  if (last > final) {
    return yield* toFailure(
      `Block ${last} is not final: the newest final block of the nodes is ${final}, and their head ${head.number}.`
    )
  }
  if (last < target.startBlock) {
    return yield* toFailure(
      `There is no final block to verify yet: the deployment starts at block ${target.startBlock}.`
    )
  }
  // The block of the state: the service may name one below, if nothing changed since.
  const stated = yield* service.asOf(last)
  const [header] = yield* withFailureText(reader.headers([Number(stated.number)]))
  if (header?.hash !== stated.hash) {
    return yield* toFailure(
      `${url.origin} has another block ${stated.number} (${stated.hash}) than the nodes (${header?.hash ?? "none"}): ` +
        "one of them follows another branch or another chain."
    )
  }
  return last
})

/** The rules of a single pool: it starts with the block in which the service says that it was created. */
const toTarget = Effect.fnUntraced(function* ({ block, pool, target }: VerificationRequest, service: ServiceReads) {
  if (pool === undefined) return target
  const [row] = yield* service.pools(block ?? Number((yield* service.asOf(undefined)).number), 0, pool)
  if (row === undefined) return yield* toFailure(`The service has no pool "${pool}".`)
  return { ...target, onlyPool: pool, startBlock: Number(row["createdAtBlockNumber"]) } satisfies IndexConfig
})

const nothing = { receipts: 0, logs: 0, unproven: null }

/** Recomputes up to the last block, with progress. Returns what is proven. */
const recomputeTo = Effect.fnUntraced(function* (
  target: IndexConfig,
  last: number,
  reader: ChainReader,
  evidence: Evidence
) {
  const progress = yield* Progress
  const store = yield* EntityStore
  const checkpoint = yield* withFailureText(store.checkpoint(target.key))
  const atCheckpoint = Option.flatMap(checkpoint, ({ number }) =>
    Option.fromUndefinedOr(evidence.reached.find((one) => one.number === number))
  )
  if (Option.isSome(checkpoint) && Option.isNone(atCheckpoint)) {
    return yield* toFailure(
      `The store of the verification has block ${checkpoint.value.number}, of which "${evidenceFile}" has no evidence. Give ` +
        "another --dir, or remove it."
    )
  }
  const first: VerificationProgress = Option.getOrElse(atCheckpoint, () => ({
    number: target.startBlock - 1,
    hash: "",
    ...nothing
  }))
  yield* progress.begin({
    since: target.startBlock,
    until: last,
    position: first.number,
    rows: first.receipts,
    unit: "receipts"
  })
  if (first.number >= target.startBlock) {
    yield* progress.say(`Continuing after block ${first.number}, ${groupDigits(first.receipts)} receipts.`)
  }
  let reached = first
  yield* recompute(
    store,
    reader,
    target,
    last,
    Effect.fnUntraced(function* (range) {
      const before = reached
      reached = {
        ...range.last,
        receipts: before.receipts + range.receipts,
        logs: before.logs + range.logs,
        unproven: before.unproven ?? range.unproven ?? null
      }
      yield* evidence.save([...(before.hash === "" ? [] : [before]), reached])
      yield* progress.advance(reached.number, reached.receipts)
    })
  ).pipe(
    withFailureText,
    Effect.onError(() => progress.say("The same command continues after the blocks that are verified so far."))
  )
  return reached
})

const compare = Effect.fnUntraced(function* (
  sides: Sides,
  target: IndexConfig,
  reader: ChainReader,
  last: number,
  every: number | undefined
): Effect.fn.Return<Compared, Effect.Error<ReturnType<typeof locateState>>, Progress> {
  const progress = yield* Progress
  const { found, state } = yield* compareStates(sides, target.startBlock, last, every)
  if (found !== undefined) {
    const { pools } = yield* compareState(sides, found.block)
    return { difference: yield* locateState(reader, sides, target.factory, pools, found), state, trades: 0 }
  }
  const end = (yield* withFailureText(reader.headers([last])))[0]?.timestamp ?? 0
  let trades = 0
  yield* progress.begin({ since: 0, until: state.pools.length, position: 0, rows: 0, unit: "trades" })
  for (const [index, pool] of state.pools.entries()) {
    const window = { from: Number(pool["createdAtTimestamp"]), to: end }
    const compared = yield* compareTrades(sides, last, pool, window)
    const [difference] = compared.differences
    if (difference !== undefined) return { difference: yield* locateTrade(reader, difference), state, trades }
    trades += compared.trades
    yield* progress.advance(index + 1, trades)
  }
  return { difference: undefined, state, trades }
})

const storeIn = (directory: string) => {
  const database = Database.layer({ url: undefined, dataDir: directory })
  return SqlEntityStore.layer.pipe(Layer.provideMerge(database))
}

/** Recomputes an index from receipts that it proves, and compares the responses of a service with it. */
export const runVerification = Effect.fn("Verification.run")(function* (request: VerificationRequest) {
  const { deployment, directory, every, key, pool, url } = request
  const path = yield* Path.Path
  const service = makeServiceReads(yield* createClient(url, key), deployment, url, key)
  const http = Context.get(yield* Layer.build(NodeHttpClient.layerUndici), HttpClient.HttpClient)
  const target = yield* toTarget(request, service)
  const reader = yield* makeChainReader(http, target)
  const last = yield* findLastBlock({ ...request, target }, reader, service)
  const evidence = yield* openCurrentEvidence(directory, target, reader)
  const store = yield* withFailureText(Layer.build(storeIn(path.join(directory, databaseDirectory))))
  const sql = Context.get(store, SqlClient.SqlClient)
  const lease = yield* withFailureText(take(sql, "verify", String(yield* Clock.currentTimeMillis), 0))
  const reached = yield* recomputeTo(target, last, reader, evidence).pipe(
    Effect.provideContext(store),
    Effect.provideService(Lease, lease)
  )
  const { view } = yield* Effect.provideContext(SqlDexView.make, store)
  const sides: Sides = { service, own: makeIndexReads((block) => view(target.key, block)), pool }
  const compared = yield* compare(sides, target, reader, last, every)
  return toVerdict(request, { first: target.startBlock, last, reached }, compared)
})
