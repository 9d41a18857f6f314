/**
 * The data of the events that are no rows of a list. The client decodes it and the test kit writes it; the schemas of the
 * service are its own, and `scripts/test/agreements/LiveEvents.test.ts` compares them with these.
 */
import * as Schema from "effect/Schema"
import { toDecoder } from "./decoding.ts"

/** The data of `gap`: trades are missing between two times (Unix ms). */
export const Gap = Schema.Struct({
  fromTime: Schema.Int,
  toTime: Schema.Int,
  missing: Schema.NullOr(Schema.Int),
  state: Schema.Literals(["open", "unfillable"])
})

export type Gap = typeof Gap.Type

/** The data of `reorg`: all blocks from `from` on are replaced. */
export const Reorg = Schema.Struct({
  from: Schema.Int,
  commonAncestor: Schema.Struct({ number: Schema.Int, hash: Schema.String })
})

export const decodeGap = toDecoder(Gap)

export const decodeReorg = toDecoder(Reorg)
