import { Clock, Context, Effect, Layer, Option } from "effect"
import type { LiveFeed, Start } from "../../live/LiveFeed.ts"
import { UnknownCursorError } from "../../live/LiveFeed.ts"
import { Wakeups } from "../../live/Wakeups.ts"
import { RecordingStatuses } from "../../status/RecordingStatuses.ts"
import type { Position } from "../tape/ledger/Coverage.ts"
import { Tape, TapeReads, tapeTopic } from "../tape/Tape.ts"
import type { Series } from "../tape/Tape.ts"
import { atTime, afterTrade, decodeCursor } from "./TradeCursor.ts"
import { makeTradeReader, toLiveError } from "./TradeReader.ts"
import type { FollowedTape } from "./TradeReader.ts"

/** Whether the cursor belongs to this tape: its trade is there, or is older than the retained trades. */
const isOfTape = (tape: FollowedTape, { coverage, id }: Series, anchor: Position) => {
  const [oldest] = coverage
  return oldest !== undefined && anchor.sequence < oldest.from
    ? Effect.succeed(true)
    : Effect.map(tape.find(id, anchor.sequence, { from: anchor.timestamp, to: anchor.timestamp }), Option.isSome)
}

const openAt = Effect.fnUntraced(function* (tape: FollowedTape, start: Start) {
  if ("since" in start) return makeTradeReader(tape, atTime(start.since))
  const series = Option.getOrUndefined(yield* tape.series)
  if ("after" in start) {
    const decoded = decodeCursor(start.after)
    if (decoded === undefined) return yield* new UnknownCursorError({ what: "is not a cursor of this stream" })
    const { anchor, position } = decoded
    if (anchor === undefined || (series !== undefined && (yield* isOfTape(tape, series, anchor)))) {
      return makeTradeReader(tape, position)
    }
    const what = "names a trade that this recording does not hold: it is of another one"
    return yield* new UnknownCursorError({ what })
  }
  const newest = series?.coverage.at(-1)
  const now = yield* Clock.currentTimeMillis
  return makeTradeReader(tape, newest === undefined ? atTime(now) : afterTrade(newest.to, newest.toTime))
})

/** The recordings that can be streamed. */
export class LiveTapes extends Context.Service<
  LiveTapes,
  {
    /** None if the market, `BASE/QUOTE`, is not being recorded. */
    readonly find: (exchange: string, market: string) => Effect.Effect<Option.Option<LiveFeed>>
  }
>()("@chaintape/server/cex/live/LiveTapes") {
  static readonly layer = Layer.effect(
    LiveTapes,
    Effect.gen(function* () {
      const tape = yield* Tape
      const reads = yield* TapeReads
      const statuses = yield* RecordingStatuses
      const wakeups = yield* Wakeups

      const getFeed = (exchange: string, market: string): LiveFeed => {
        const followed: FollowedTape = { ...reads, name: `${exchange} ${market}`, series: tape.find(exchange, market) }
        return {
          name: `trades ${followed.name}`,
          open: (start) =>
            openAt(followed, start).pipe(
              Effect.catchTag(["SqlError", "SchemaError"], (error) =>
                Effect.andThen(
                  Effect.logError(`The tape of ${followed.name} cannot be read`, error),
                  Effect.fail(toLiveError(followed.name)(error))
                )
              )
            ),
          watch: wakeups.watch(tapeTopic(exchange, market))
        }
      }
      return LiveTapes.of({
        find: Effect.fnUntraced(function* (exchange, market) {
          const recording = (yield* statuses.all).find((one) => one.exchange === exchange && one.market === market)
          return recording === undefined || recording.state === "unsupported"
            ? Option.none()
            : Option.some(getFeed(exchange, market))
        })
      })
    })
  )
}
