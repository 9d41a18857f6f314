import type { Coverage } from "@chaintape/core"
import { Context, type Effect, type Option } from "effect"
import type { CommandError } from "../terminal/CommandError.ts"
import type { Block, Span } from "./Proof.ts"
import type { Row } from "./Row.ts"

export interface Page {
  /** Oldest first. */
  readonly rows: ReadonlyArray<Row>
  readonly state: Coverage["state"]
  /** Unix milliseconds: the range of `state`. */
  readonly from: Option.Option<number>
  readonly to: Option.Option<number>
  /** Where something is missing, if the response says so more exactly. */
  readonly gaps: ReadonlyArray<Span>
  /** The block as of which the rows are; none for an exchange. */
  readonly block: Option.Option<Block>
}

/** The data that a command downloads from a running service. */
export class Pages extends Context.Service<
  Pages,
  {
    /** Fails if the service, the key or the source does not exist. */
    readonly check: Effect.Effect<void, CommandError>
    /** The first `limit` rows at or after `since`, or the latest ones (Unix milliseconds, both inclusive). */
    readonly read: (request: {
      readonly since: Option.Option<number>
      readonly until: number
      readonly limit: number
      /** The block of the pages before. */
      readonly block: Option.Option<number>
    }) => Effect.Effect<Page, CommandError>
  }
>()("@chaintape/server/cli/download/Pages") {}
