import type { Effect } from "effect"
import type { CommandError } from "../terminal/CommandError.ts"

/** A row of a response, as in its JSON. */
export type Row = Readonly<Record<string, unknown>>
export type Rows = ReadonlyArray<Row>

/** Unix seconds, both inclusive. */
export interface TimeWindow {
  readonly from: number
  readonly to: number
}

/** Rows of one response at most. */
export const pageSize = 1000

/** The responses about one deployment as of a block: those of a service, or those that follow from verified receipts. */
export interface DeploymentReads {
  readonly totals: (block: number) => Effect.Effect<Rows, CommandError>
  /** By id, or those with this id. */
  readonly tokens: (block: number, skip: number, id?: string) => Effect.Effect<Rows, CommandError>
  readonly pools: (block: number, skip: number, id?: string) => Effect.Effect<Rows, CommandError>
  /** By kind: swaps, mints and burns. */
  readonly trades: (
    block: number,
    pool: string,
    window: TimeWindow,
    skip: number
  ) => Effect.Effect<ReadonlyArray<Rows>, CommandError>
}
