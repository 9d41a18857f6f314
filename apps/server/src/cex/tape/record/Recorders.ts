import { Effect, Layer, Option, Schema } from "effect"
import { isNotKept, ownAll } from "../../../ownership/OwnedWork.ts"
import type { Known } from "../../../ownership/OwnedWork.ts"
import type { Ownership } from "../../../ownership/Ownership.ts"
import { RecordingStatus, RecordingStatuses } from "../../../sources/RecordingStatuses.ts"
import type { MarketPair } from "../../ExchangeSource.ts"
import type { TradeFlow } from "../../TradeFlow.ts"
import type { Tape, TapeReads } from "../Tape.ts"
import { makeRecorder } from "./Recorder.ts"
import { makeRecording, toStatus } from "./Recording.ts"

export interface RecordedMarket {
  readonly exchange: string
  readonly market: MarketPair
}

const day = 86_400_000

/** The status that the owner of a recording publishes to the other instances. */
const Telling = Schema.Struct({ recording: RecordingStatus, isLive: Schema.Boolean })

/**
 * Milliseconds. A status older than this says nothing of the newest trade, because the owner's own trades may wait that
 * long to be written.
 */
const longestSilence = 2000

const unkept = (status: RecordingStatus, lastError: string | null): RecordingStatus => ({
  ...status,
  state: status.to === null ? "starting" : "disconnected",
  lastError
})

const toldStatus = ({ isKept, status }: Known<typeof Telling.Type>) =>
  isKept ? status.recording : unkept(status.recording, isNotKept)

const nameOf = (exchange: string, market: string) => `recording:${exchange}/${market}`

/**
 * The recordings of all configured markets, each owned by one of the instances. Without `retentionDays` all trades are
 * retained.
 */
export const layer = (
  markets: ReadonlyArray<RecordedMarket>,
  retentionDays: number | undefined
): Layer.Layer<RecordingStatuses, never, Ownership | Tape | TapeReads | TradeFlow> =>
  Layer.effect(
    RecordingStatuses,
    Effect.gen(function* () {
      const keepMs = retentionDays === undefined ? undefined : retentionDays * day
      const configured = markets.map(({ exchange, market }) => {
        const name = `${market.base}/${market.quote}`
        return { exchange, market: name, name: nameOf(exchange, name), recorder: { exchange, market, keepMs } }
      })
      const names = new Set(configured.map(({ name }) => name))
      const { running, told, whySilent } = yield* ownAll({
        role: "recorder",
        status: Telling,
        works: configured.map(({ name, recorder }) => ({
          name,
          begin: Effect.sync(() => {
            const { isLive, run, status, unchanged } = makeRecorder(recorder)
            return { run, isLive, unchanged, recording: status, status: Effect.all({ recording: status, isLive }) }
          })
        }))
      })
      const statusIn = ({ exchange, market, name }: (typeof configured)[number]) =>
        running(name)?.recording ??
        Effect.zipWith(told(name), whySilent, (known, why) =>
          Option.match(known, {
            onNone: () => unkept(toStatus(makeRecording(exchange, market)), why),
            onSome: toldStatus
          })
        )
      return RecordingStatuses.of({
        unchanged: (exchange, market) =>
          Effect.suspend(() => {
            const name = nameOf(exchange, market)
            const own = running(name)
            if (own === undefined) return Effect.undefined
            return Effect.map(own.unchanged, (isCurrent) =>
              isCurrent === undefined ? undefined : () => running(name) === own && isCurrent()
            )
          }),
        all: Effect.suspend(() => Effect.forEach(configured, statusIn)),
        isLive: (exchange, market) =>
          Effect.suspend(() => {
            const name = nameOf(exchange, market)
            if (!names.has(name)) return Effect.succeed(false)
            const own = running(name)?.isLive
            if (own !== undefined) return own
            return Effect.map(
              told(name),
              Option.exists(({ ageMs, status }) => status.isLive && ageMs <= longestSilence)
            )
          })
      })
    })
  )
