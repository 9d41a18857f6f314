import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

const Faults = Schema.Struct({
  faults: Schema.Array(Schema.Struct({ kind: Schema.String, seen: Schema.Int, hits: Schema.Int }))
})

/** The active faults of the sandbox exchange, with their counters. */
export type Faults = typeof Faults.Type

export class SandboxError extends Data.TaggedError("SandboxError")<{ readonly message: string }> {}

const failed = (message: string) => new SandboxError({ message })

const decodeFaults = Schema.decodeUnknownEffect(Schema.fromJsonString(Faults))
const decodeRefusal = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({ message: Schema.String })))

const ask = Effect.fnUntraced(function* (path: string, order?: { readonly key: string; readonly body: unknown }) {
  const init: RequestInit =
    order === undefined
      ? {}
      : {
          method: "POST",
          headers: { "api-key": order.key, "content-type": "application/json" },
          body: JSON.stringify(order.body)
        }
  const [status, text] = yield* Effect.tryPromise({
    try: (signal) =>
      window.fetch(path, { ...init, signal }).then(async (answer) => [answer.status, await answer.text()] as const),
    catch: () => failed("The service does not answer.")
  })
  if (status === 200) return text
  const refusal = yield* decodeRefusal(text).pipe(
    Effect.orElseSucceed(() => ({ message: "There is no sandbox here." }))
  )
  return yield* failed(status === 404 ? "There is no sandbox here." : refusal.message)
})

export const readFaults: Effect.Effect<Faults, SandboxError> = ask("/sandbox/faults").pipe(
  Effect.flatMap(decodeFaults),
  Effect.mapError((error) => failed(error.message))
)

export const setFaults = (key: string, faults: ReadonlyArray<object>): Effect.Effect<void, SandboxError> =>
  Effect.asVoid(ask("/sandbox/faults", { key, body: { faults } }))

export const reorg = (key: string, depth: number): Effect.Effect<void, SandboxError> =>
  Effect.asVoid(ask("/sandbox/reorg", { key, body: { depth } }))
