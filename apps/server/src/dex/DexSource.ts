import { Deployment } from "@chaintape/core"
import type { Burn, Mint, PoolCandle, PoolTick, Swap } from "@chaintape/core"
import * as DexOperations from "@chaintape/core/operations/dex"
import { Context, Data, Struct } from "effect"
import type { Effect, Option } from "effect"
import { transientFailures } from "../sources/SourceFailure.ts"
import type { SourceFailure } from "../sources/SourceFailure.ts"
import type { CandleQuery, Page, PoolQuery, TokenQuery, TradeQuery, TradeScope } from "./DexQueries.ts"

// Rows are in the form of the interface: decimals are text in plain notation, addresses and hashes in lower case.

export type DeploymentRow = typeof Deployment.Encoded
export const deploymentFields = Struct.keys(Deployment.fields)

/** The fields of `Token` without the logo. */
export type TokenRow = { readonly [K in (typeof tokenFields)[number]]: string }
export const tokenFields = DexOperations.tokens.query.orderBy.fields.filter((field) => field !== "logo")

/** The fields of `Pool` that are text. `tick` is empty before the pool is initialized. */
export const poolFields = DexOperations.pools.query.orderBy.fields.filter(
  (field) => field !== "token0" && field !== "token1"
)

/** A pool and its tokens as of the same block. */
export type PoolRow = { readonly [K in (typeof poolFields)[number]]: string } & {
  readonly token0: TokenRow
  readonly token1: TokenRow
}

export type BurnRow = typeof Burn.Encoded
export type MintRow = typeof Mint.Encoded
export type SwapRow = typeof Swap.Encoded

export interface TradeRows {
  readonly burn: BurnRow
  readonly mint: MintRow
  readonly swap: SwapRow
}

export type TradeKind = keyof TradeRows

/** Reads the trades of each kind. */
export type TradeReads<E> = {
  readonly [Kind in TradeKind]: (
    scope: TradeScope,
    query: TradeQuery
  ) => Effect.Effect<ReadonlyArray<TradeRows[Kind]>, E>
}

export type TickRow = typeof PoolTick.Encoded
export type CandleRow = typeof PoolCandle.Encoded

/** The block of a response. */
export interface DexAsOf {
  readonly number: number
  /** Undefined before the first block that the source knows by hash: it has nothing of that time. */
  readonly hash: string | undefined
  readonly finalized: boolean
  /** Whether every log up to it is proven against the block headers; undefined if the source does not prove. */
  readonly proven: boolean | undefined
}

/** `NotReady`: the source has no data yet, or is being built. `Reorged`: a reorg between two reads removed the state. */
export type DexFailure = SourceFailure | "NotReady" | "Reorged"

export class DexSourceError extends Data.TaggedError("DexSourceError")<{
  readonly source: string
  readonly reason: DexFailure
  /** A sentence for the caller. */
  readonly message: string
  readonly retryAfterMs?: number
}> {}

const transient = { ...transientFailures, NotReady: false, Reorged: false } satisfies Record<DexFailure, boolean>

/** Whether a repetition may succeed at once. */
export const isTransient = ({ reason }: DexSourceError): boolean => transient[reason]

/** The source has the pool, and lacks what the value follows from. */
export class UnknownValueError extends Data.TaggedError("UnknownValueError")<{
  /** A sentence for the caller. */
  readonly message: string
}> {}

/** The requested block is outside the range of the source. */
export class BlockOutOfRangeError extends Data.TaggedError("BlockOutOfRangeError")<{
  readonly block: number
  /** The first and the newest block that can be queried. */
  readonly first: number
  readonly head: number
  /** Why the source has no newer block: a sentence. Absent if it lacks none that it knows of. */
  readonly why?: string
}> {
  override get message(): string {
    return `Block ${this.block} cannot be read: blocks ${this.first} to ${this.head} can.`
  }
}

export type DexReadError = DexSourceError | BlockOutOfRangeError

/** Reads one deployment as of one block: all reads see the same state, whatever the chain does meanwhile. */
export interface DexView {
  readonly asOf: DexAsOf
  /** None until the first pool is created. */
  readonly deployment: Effect.Effect<Option.Option<DeploymentRow>, DexSourceError>
  readonly tokens: (query: TokenQuery) => Effect.Effect<ReadonlyArray<TokenRow>, DexSourceError>
  readonly pools: (query: PoolQuery) => Effect.Effect<ReadonlyArray<PoolRow>, DexSourceError>
  readonly hasToken: (token: string) => Effect.Effect<boolean, DexSourceError>
  readonly hasPool: (pool: string) => Effect.Effect<boolean, DexSourceError>
  readonly trades: <Kind extends TradeKind>(
    kind: Kind,
    scope: TradeScope,
    query: TradeQuery
  ) => Effect.Effect<ReadonlyArray<TradeRows[Kind]>, DexSourceError>
  /** The candles of a pool that have a swap, oldest first. */
  readonly candles: (
    pool: string,
    query: CandleQuery
  ) => Effect.Effect<ReadonlyArray<CandleRow>, DexSourceError | UnknownValueError>
  /** The initialized ticks of a pool, by tick ascending. */
  readonly ticks: (
    pool: string,
    page: Page
  ) => Effect.Effect<ReadonlyArray<TickRow>, DexSourceError | UnknownValueError>
}

/** Port: the source of the data of a decentralized exchange's deployment. */
export class DexSource extends Context.Service<
  DexSource,
  {
    /** `deployment` is a key of the configuration: `dex id/blockchain id`. Without a block: the newest state. */
    readonly view: (deployment: string, block: Option.Option<number>) => Effect.Effect<DexView, DexReadError>
    /** Whether every response is still current; undefined if unknown. */
    readonly watchUnchanged: (deployment: string) => Effect.Effect<(() => boolean) | undefined>
  }
>()("@chaintape/server/dex/DexSource") {}
