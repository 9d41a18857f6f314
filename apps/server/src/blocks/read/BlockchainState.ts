import { Overloaded } from "@chaintape/core"
import { Duration, Effect } from "effect"
import { makeConcurrencyLimiter } from "../../internal/concurrency/ConcurrencyLimiter.ts"
import { monotonicMillis } from "../../internal/monotonic.ts"
import type { BlockSource } from "../BlockSource.ts"
import { makeBlockReader } from "./BlockReader.ts"

/** The number of concurrent requests of one blockchain, and of those that may queue. */
const concurrency = 4
const maxQueue = 64
/** How long a stated head counts while nodes state lower ones: after that, the chain has gone back. */
const maxLag = Duration.minutes(5)

const overloaded = (blockchain: string) =>
  new Overloaded({
    retryAfterMs: 1000,
    detail: `Too many requests wait for the blockchain "${blockchain}": try again in a second.`
  })

/** State shared by the requests of one blockchain: its reader, and a bound on running and queued requests. */
export const makeBlockchainState = (source: BlockSource["Service"], blockchain: string, isEphemeral: boolean) => {
  let newest = { head: -1, until: -Infinity }
  return {
    read: makeBlockReader(source, blockchain, isEphemeral),
    /** The newest head stated within `maxLag`: the node that states one now may be behind. */
    observe: (head: number): Effect.Effect<number> =>
      Effect.map(monotonicMillis, (now) => {
        if (head >= newest.head || now > newest.until) newest = { head, until: now + Duration.toMillis(maxLag) }
        return newest.head
      }),
    admit: makeConcurrencyLimiter({
      atOnce: concurrency,
      waiting: maxQueue,
      onFull: () => overloaded(blockchain)
    })
  }
}

export type BlockchainState = ReturnType<typeof makeBlockchainState>
