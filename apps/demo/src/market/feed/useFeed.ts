import type { Market } from "@chaintape/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { useCallback, useEffect, useRef, useState } from "react"
import { toSentence } from "../../service/Sentence.ts"
import { useRuntime } from "../../service/Session.tsx"
import { whenVisible } from "../../service/Visibility.ts"
import type { Feed } from "./TradeFeed.ts"
import { advance, emptyFeed, withOlder } from "./TradeFeed.ts"

interface Known {
  readonly of: string
  readonly feed: Feed
  readonly problem: string | undefined
  /** The time of the last response, in Unix milliseconds. */
  readonly readAt: number | undefined
}

const nothing = { feed: emptyFeed, problem: undefined, readAt: undefined }

/** The trades of a market, live, and earlier ones after `wantOlder`. */
export const useFeed = (exchange: string, market: Market) => {
  const runtime = useRuntime()
  const name = `${exchange} ${market}`
  const [known, setKnown] = useState<Known>({ of: name, ...nothing })
  const isOlderWanted = useRef(false)
  useEffect(() => {
    const listing = { exchange, market }
    let feed = emptyFeed
    const show = Effect.map(Clock.currentTimeMillis, (readAt) =>
      setKnown({ of: name, feed, problem: undefined, readAt })
    )
    const tell = (problem: string) =>
      setKnown((before) => ({ ...(before.of === name ? before : nothing), of: name, feed, problem }))
    const step = Effect.gen(function* () {
      yield* whenVisible
      feed = yield* advance(listing, feed)
      yield* show
      if (!isOlderWanted.current) return
      isOlderWanted.current = false
      feed = yield* withOlder(listing, feed)
      yield* show
    }).pipe(
      Effect.catch((error) =>
        Effect.andThen(
          Effect.sync(() => tell(toSentence(error))),
          Effect.sleep("2 seconds")
        )
      ),
      Effect.andThen(Effect.sleep("1 second")),
      Effect.forever
    )
    const fiber = runtime.runFork(step)
    return () => void runtime.runFork(Fiber.interrupt(fiber))
  }, [runtime, name])
  const wantOlder = useCallback(() => {
    isOlderWanted.current = true
  }, [])
  return { ...(known.of === name ? known : nothing), wantOlder }
}
