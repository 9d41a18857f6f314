import { Clock, Context, Effect, Layer, Schema } from "effect"

/** What is known of a source: an exchange, a blockchain, or a decentralized exchange on one. */
export const SourceState = Schema.Struct({
  id: Schema.String,
  kind: Schema.Literals(["exchange", "blockchain", "dex"]),
  /** `idle` until it was asked for the first time. */
  state: Schema.Literals(["idle", "ok", "failing"]),
  head: Schema.NullOr(Schema.Int),
  /** Unix milliseconds. */
  lastSuccessAt: Schema.NullOr(Schema.Int),
  lastErrorAt: Schema.NullOr(Schema.Int),
  lastError: Schema.NullOr(Schema.String)
})

export type SourceState = typeof SourceState.Type

const idle = (id: string, kind: SourceState["kind"]): SourceState => ({
  id,
  kind,
  state: "idle",
  head: null,
  lastSuccessAt: null,
  lastErrorAt: null,
  lastError: null
})

/** How the sources are doing, as seen by the requests that needed them. */
export class SourceHealth extends Context.Service<
  SourceHealth,
  {
    readonly succeeded: (id: string) => Effect.Effect<void>
    readonly failed: (id: string, message: string) => Effect.Effect<void>
    readonly advanced: (id: string, head: number) => Effect.Effect<void>
    readonly all: Effect.Effect<ReadonlyArray<SourceState>>
  }
>()("@chaintape/server/sources/SourceHealth") {
  /** Configured sources are listed from the start; other exchanges once they were asked. */
  static readonly layer = (configured: ReadonlyArray<{ readonly id: string; readonly kind: SourceState["kind"] }>) =>
    Layer.sync(SourceHealth, () => {
      const states = new Map(configured.map(({ id, kind }) => [id, idle(id, kind)]))
      const update = (id: string, change: (now: number) => Partial<SourceState>) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          states.set(id, { ...(states.get(id) ?? idle(id, "exchange")), ...change(now) })
        })
      return SourceHealth.of({
        succeeded: (id) => update(id, (now) => ({ state: "ok", lastSuccessAt: now })),
        failed: (id, message) => update(id, (now) => ({ state: "failing", lastErrorAt: now, lastError: message })),
        advanced: (id, head) => update(id, () => ({ head })),
        all: Effect.sync(() => [...states.values()])
      })
    })
}
