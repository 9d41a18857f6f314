import { Effect, Layer } from "effect"
import { Wakeups } from "../../live/Wakeups.ts"
import { Tape } from "../tape/Tape.ts"

export const tapeTopic = (exchange: string, market: string): string => `tape ${exchange} ${market}`

/** A tape whose writes wake the subscribers of this process. */
export const layer = Layer.effect(
  Tape,
  Effect.gen(function* () {
    const tape = yield* Tape
    const wakeups = yield* Wakeups
    const topics = new Map<number, string>()
    return Tape.of({
      ...tape,
      open: (exchange, market, continuity, firstId) =>
        Effect.tap(tape.open(exchange, market, continuity, firstId), ({ id }) =>
          Effect.sync(() => topics.set(id, tapeTopic(exchange, market)))
        ),
      append: (series, change) =>
        Effect.tap(tape.append(series, change), () => {
          const topic = topics.get(series)
          return topic === undefined ? Effect.void : wakeups.announce(topic)
        })
    })
  })
)
