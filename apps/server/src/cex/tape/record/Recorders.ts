import { Effect, Layer, Option, Schema } from "effect"
import { dayMs } from "../../../internal/day.ts"
import { Wakeups } from "../../../live/Wakeups.ts"
import { runOwnedWork } from "../../../ownership/OwnedWork.ts"
import type { Ownership } from "../../../ownership/Ownership.ts"
import { SourceHealth } from "../../../sources/SourceHealth.ts"
import { RecordingStatus, RecordingStatuses } from "../../../status/RecordingStatuses.ts"
import { toExchangeHealth } from "../../ExchangeHealth.ts"
import type { MarketName } from "../../ExchangeSource.ts"
import type { TradeFlow } from "../../TradeFlow.ts"
import { tapeTopic } from "../Tape.ts"
import type { Tape, TapeReads } from "../Tape.ts"
import { makeRecorder } from "./Recorder.ts"
import { startingState, toStatus } from "./RecordingState.ts"

export interface MarketToRecord {
  readonly exchange: string
  readonly market: MarketName
}

/** The status that the owner of a recording publishes to the other instances. */
const PublishedRecording = Schema.Struct({ recording: RecordingStatus, isLive: Schema.Boolean })

/**
 * Milliseconds. A status older than this says nothing of the newest trade, because the owner's own trades may wait that
 * long to be written.
 */
const maxAgeMs = 2000

type PublishedRecording = typeof PublishedRecording.Type

const withoutOwner = ({ recording }: PublishedRecording, lastError: string | null): PublishedRecording => ({
  recording: { ...recording, state: recording.to === null ? "starting" : "disconnected", lastError },
  isLive: false
})

const toWorkName = (exchange: string, market: string) => `recording:${exchange}/${market}`

/**
 * The recordings of all configured markets, each owned by one of the instances. Without `retentionDays` all trades are
 * retained.
 */
export const layer = (
  markets: ReadonlyArray<MarketToRecord>,
  retentionDays: number | undefined
): Layer.Layer<RecordingStatuses, never, Ownership | SourceHealth | Tape | TapeReads | TradeFlow | Wakeups> =>
  Layer.effect(
    RecordingStatuses,
    Effect.gen(function* () {
      const wakeups = yield* Wakeups
      const sourceHealth = yield* SourceHealth
      const keepMs = retentionDays === undefined ? undefined : retentionDays * dayMs
      const configured = markets.map(({ exchange, market }) => {
        const name = `${market.base}/${market.quote}`
        const announce = wakeups.announce(tapeTopic(exchange, name))
        const health = toExchangeHealth(sourceHealth, exchange)
        const recorder = { exchange, market, keepMs, announce, health }
        return { exchange, market: name, name: toWorkName(exchange, name), recorder }
      })
      const names = new Set(configured.map(({ name }) => name))
      const { running, published, status } = yield* runOwnedWork({
        role: "recorder",
        status: PublishedRecording,
        withoutOwner,
        works: configured.map(({ name, recorder }) => ({
          name,
          begin: Effect.sync(() => {
            const { isLive, run, status, watchUnchanged } = makeRecorder(recorder)
            return { run, isLive, watchUnchanged, status: Effect.all({ recording: status, isLive }) }
          })
        }))
      })
      return RecordingStatuses.of({
        watchUnchanged: Effect.fnUntraced(function* (exchange, market) {
          const name = toWorkName(exchange, market)
          const own = running(name)
          const isCurrent = own === undefined ? undefined : yield* own.watchUnchanged
          return isCurrent && (() => running(name) === own && isCurrent())
        }),
        all: Effect.forEach(configured, ({ exchange, market, name }) => {
          const starting = { recording: toStatus(exchange, market, startingState, 0), isLive: false }
          return Effect.map(status(name, starting), ({ recording }) => recording)
        }),
        isLive: Effect.fnUntraced(function* (exchange, market) {
          const name = toWorkName(exchange, market)
          if (!names.has(name)) return false
          const own = running(name)
          if (own !== undefined) return yield* own.isLive
          return Option.exists(yield* published(name), ({ ageMs, status }) => status.isLive && ageMs <= maxAgeMs)
        })
      })
    })
  )
