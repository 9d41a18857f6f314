import type { Effect, Result } from "effect"
import type { Page } from "../../DexQueries.ts"
import type { DexSourceError, DexView, TickRow, TradeReads, UnknownValueError } from "../../DexSource.ts"
import type { PinnedReads } from "./PinnedReads.ts"
import type { SubgraphEndpoint } from "./SubgraphEndpoint.ts"
import type { Entity, SubgraphSchema } from "./SubgraphSchema.ts"

/** The state that the reads as of one block share. */
export interface SubgraphContext {
  readonly endpoint: SubgraphEndpoint
  readonly reads: PinnedReads
  readonly schema: SubgraphSchema
}

export type TradeReaders = TradeReads<DexSourceError>

/** Reads one kind of schema in the terms of the port. */
export interface SubgraphReader extends Pick<DexView, "deployment" | "tokens" | "pools"> {
  /** The type of a pool. */
  readonly poolEntity: Entity
  readonly trades: TradeReaders
  readonly ticks: (
    pool: string,
    page: Page
  ) => Effect.Effect<Result.Result<ReadonlyArray<TickRow>, UnknownValueError>, DexSourceError>
}
