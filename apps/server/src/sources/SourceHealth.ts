import { Clock, Context, Effect, Layer, Schema } from "effect"
import { monotonicMillis } from "../internal/monotonic.ts"

/** The health of a source: an exchange, a blockchain, or a decentralized exchange on one. */
export const SourceState = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(["exchange", "blockchain", "dex"]),
  /** False for an exchange that is only read on demand: it is listed since its first request. */
  configured: Schema.Boolean,
  /** By its last call. `idle` if unknown: not called yet, or not since a failure more than two minutes ago. */
  state: Schema.Literals(["idle", "ok", "failing"]),
  /** The newest block seen of it. */
  head: Schema.NullOr(Schema.Int),
  /** Unix milliseconds. */
  lastSuccessAt: Schema.NullOr(Schema.Int),
  lastErrorAt: Schema.NullOr(Schema.Int),
  lastError: Schema.NullOr(Schema.String)
})

export type SourceState = typeof SourceState.Type

const initialState = (id: string, kind: SourceState["kind"], configured: boolean): SourceState => ({
  id,
  kind,
  configured,
  state: "idle",
  head: null,
  lastSuccessAt: null,
  lastErrorAt: null,
  lastError: null
})

/** A failure older than this says nothing about the present: work that follows a source fails more often than that. */
const failingMs = 120_000

interface Known {
  readonly state: SourceState
  /** The time of its last failure, by `monotonicMillis`. */
  readonly failedAt: number
}

const asOf =
  (now: number) =>
  ({ failedAt, state }: Known): SourceState =>
    state.state === "failing" && now - failedAt > failingMs ? { ...state, state: "idle" } : state

/** Receives the outcomes of calls and recordings of one kind of source. */
export interface ObservedHealth {
  readonly succeeded: (id: string) => Effect.Effect<void>
  readonly failed: (id: string, message: string) => Effect.Effect<void>
  readonly advanced: (id: string, head: number) => Effect.Effect<void>
}

/** The health of the sources, as seen by requests and recordings. Sources of two kinds may have the same id. */
export class SourceHealth extends Context.Service<
  SourceHealth,
  {
    readonly exchange: ObservedHealth
    readonly blockchain: ObservedHealth
    readonly dex: ObservedHealth
    readonly all: Effect.Effect<ReadonlyArray<SourceState>>
  }
>()("@chaintape/server/sources/SourceHealth") {
  /** Configured sources are listed from the start; other exchanges after their first request. */
  static readonly layer = (configured: ReadonlyArray<{ readonly id: string; readonly kind: SourceState["kind"] }>) =>
    Layer.sync(SourceHealth, () => {
      const first = (state: SourceState): Known => ({ state, failedAt: 0 })
      const getKey = (kind: SourceState["kind"], id: string) => `${kind} ${id}`
      const known = new Map(configured.map(({ id, kind }) => [getKey(kind, id), first(initialState(id, kind, true))]))
      const observe = (kind: SourceState["kind"]): ObservedHealth => {
        const update = (id: string, change: (now: number, before: SourceState) => Partial<SourceState>) =>
          Effect.map(Effect.all([Clock.currentTimeMillis, monotonicMillis]), ([now, failedAt]) => {
            const before = known.get(getKey(kind, id)) ?? first(initialState(id, kind, false))
            const changed = change(now, before.state)
            known.set(getKey(kind, id), {
              state: { ...before.state, ...changed },
              failedAt: changed.state === "failing" ? failedAt : before.failedAt
            })
          })
        return {
          succeeded: (id) => update(id, (now) => ({ state: "ok", lastSuccessAt: now })),
          failed: (id, message) => update(id, (now) => ({ state: "failing", lastErrorAt: now, lastError: message })),
          advanced: (id, head) => update(id, (_, before) => ({ head: Math.max(head, before.head ?? head) }))
        }
      }
      return SourceHealth.of({
        exchange: observe("exchange"),
        blockchain: observe("blockchain"),
        dex: observe("dex"),
        all: Effect.map(monotonicMillis, (now) => [...known.values()].map(asOf(now)))
      })
    })
}
