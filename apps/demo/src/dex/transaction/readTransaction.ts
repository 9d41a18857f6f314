import { Blocks } from "@chaintape/blocks"
import type { Answer, Block, TokenAddress } from "@chaintape/core"
import { Dex } from "@chaintape/dex"
import * as Effect from "effect/Effect"
import { countRequests } from "../../service/Budget.ts"
import { isSourceUnavailable } from "../../service/problem/SourceUnavailable.ts"
import type { Event } from "../events/Event.ts"
import { maxAtOneTime } from "../events/EventClaim.ts"
import { toTokenEvents } from "../events/TokenEvent.ts"
import type { Moment } from "../moment/Deployment.ts"
import { at } from "../moment/Deployment.ts"

/** A transaction, and what its events are found by. */
export interface TransactionQuery {
  readonly hash: string
  /** Unix milliseconds. */
  readonly time: number
  readonly tokens: readonly [TokenAddress, TokenAddress]
}

export interface TransactionEvents {
  /** In the order in which they happened. */
  readonly events: ReadonlyArray<Event>
  /** The blocks of this time: one, unless blocks of the chain come more often than once in a second. */
  readonly blocks: ReadonlyArray<Block>
}

/** The request of all events of a token at the time of the transaction. */
export const toTradesRequest = (moment: Moment, { time }: TransactionQuery, token: TokenAddress) => ({
  ...at(moment),
  token,
  from: time,
  to: time,
  limit: maxAtOneTime
})

/** The request of the blocks of that time. */
export const toBlocksRequest = ({ deployment: { blockchain } }: Moment, { time }: TransactionQuery) => ({
  blockchain,
  from: time,
  to: time
})

/** The events of a transaction, each once: a swap of both tokens is among the events of either. */
export const pickEvents = (events: ReadonlyArray<Event>, hash: string): ReadonlyArray<Event> => {
  const byId = new Map(events.filter(({ transactionId }) => transactionId === hash).map((event) => [event.id, event]))
  return [...byId.values()].toSorted((one, other) => Number(one.logIndex) - Number(other.logIndex))
}

const readBlocks = (moment: Moment, wanted: TransactionQuery) =>
  Effect.flatMap(Blocks, (blocks) => countRequests(blocks.withResponse.blocks(toBlocksRequest(moment, wanted)))).pipe(
    Effect.map(({ value }) => value),
    // A deployment may be of a chain whose blocks the service, or the key, cannot read: the events are read already.
    Effect.catchIf(isSourceUnavailable, () => Effect.succeed<ReadonlyArray<Block>>([]))
  )

/** The events of a transaction in pools that hold one of two tokens, and its block. */
export const readTransaction = Effect.fnUntraced(function* (moment: Moment, wanted: TransactionQuery) {
  const dex = yield* Dex
  const [tokenA, tokenB] = wanted.tokens
  const first = yield* countRequests(dex.withResponse.tokenTrades(toTradesRequest(moment, wanted, tokenA)))
  const second = yield* countRequests(dex.withResponse.tokenTrades(toTradesRequest(moment, wanted, tokenB)))
  const events = [first, second].flatMap(({ value }) => toTokenEvents(value, "all"))
  const blocks = yield* readBlocks(moment, wanted)
  const answer: Answer<TransactionEvents> = { ...second, value: { events: pickEvents(events, wanted.hash), blocks } }
  return answer
})
