import { Duration, Effect, Ref } from "effect"
import type { BlockIdentity } from "../decode/ChainFacts.ts"

const shortest = Duration.millis(200)
const longest = Duration.seconds(2)
const untilKnown = Duration.seconds(1)

/** How long to wait for the next block: half the block time, estimated from the heads seen so far. */
export const makePollInterval = Effect.gen(function* () {
  const first = yield* Ref.make<BlockIdentity | undefined>(undefined)
  const blockTime = yield* Ref.make<Duration.Duration | undefined>(undefined)

  const observe = Effect.fnUntraced(function* (head: BlockIdentity) {
    const start = yield* Ref.get(first)
    if (start === undefined || head.number < start.number) return yield* Ref.set(first, head)
    const seconds = head.timestamp - start.timestamp
    if (head.number === start.number || seconds <= 0) return
    yield* Ref.set(blockTime, Duration.millis((seconds * 1000) / (head.number - start.number)))
  })

  const get = Effect.map(Ref.get(blockTime), (known) =>
    known === undefined
      ? untilKnown
      : Duration.max(shortest, Duration.min(longest, Duration.millis(Duration.toMillis(known) / 2)))
  )

  return { observe, get }
})
