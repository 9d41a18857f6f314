import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Ref from "effect/Ref"
import * as Schema from "effect/Schema"

/** With the members that a fault of its kind has. */
const Fault = Schema.StructWithRest(Schema.Struct({ kind: Schema.String, seen: Schema.Int, hits: Schema.Int }), [
  Schema.Record(Schema.String, Schema.Unknown)
])
const Faults = Schema.Struct({ faults: Schema.Array(Fault) })

/** The active faults of the sandbox exchange, with their counters. */
export type Faults = typeof Faults.Type

/** `absent`: the service reads real sources. `failed`: the request was not answered, or refused. */
export class SandboxError extends Data.TaggedError("SandboxError")<{
  readonly reason: "absent" | "failed"
  readonly message: string
}> {}

const failed = (message: string) => new SandboxError({ reason: "failed", message })

const unanswered = failed("The service does not answer.")

/** As long as an attempt of the clients. */
const readTimeout = "15 seconds"

/** The service refuses an order after 20 seconds without a response of the sandbox. */
const orderTimeout = "25 seconds"

const decodeFaults = Schema.decodeUnknownEffect(Schema.fromJsonString(Faults))
/** The sandbox says why in `message`, the service in `detail`. */
const decodeRefusal = Schema.decodeUnknownEffect(
  Schema.fromJsonString(
    Schema.Struct({ message: Schema.optionalKey(Schema.String), detail: Schema.optionalKey(Schema.String) })
  )
)

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
    catch: () => unanswered
  }).pipe(
    Effect.timeoutOrElse({
      duration: order === undefined ? readTimeout : orderTimeout,
      orElse: () => Effect.fail(unanswered)
    })
  )
  if (status === 200) return text
  if (status === 404) return yield* new SandboxError({ reason: "absent", message: "There is no sandbox here." })
  const { detail, message } = yield* decodeRefusal(text).pipe(
    Effect.mapError(() => failed(`The service answered with status ${status}.`))
  )
  return yield* failed(message ?? detail ?? `The service answered with status ${status}.`)
})

/** Whether the service may have a sandbox: it does not once it has answered 404. */
export class SandboxPresence extends Context.Service<SandboxPresence, Ref.Ref<boolean>>()(
  "@chaintape/demo/service/SandboxPresence"
) {
  static readonly layer = Layer.effect(SandboxPresence, Ref.make(true))
}

/** Null if the service reads real sources, which a session asks once. */
export const readFaults: Effect.Effect<Faults | null, SandboxError, SandboxPresence> = Effect.gen(function* () {
  if (!(yield* Ref.get(yield* SandboxPresence))) return null
  return yield* decodeFaults(yield* ask("/sandbox/faults"))
}).pipe(
  Effect.catchTag("SchemaError", ({ message }) => Effect.fail(failed(message))),
  Effect.catchIf(
    ({ reason }) => reason === "absent",
    () =>
      SandboxPresence.pipe(
        Effect.flatMap((presence) => Ref.set(presence, false)),
        Effect.as(null)
      )
  )
)

export const setFaults = (key: string, faults: ReadonlyArray<object>): Effect.Effect<void, SandboxError> =>
  Effect.asVoid(ask("/sandbox/faults", { key, body: { faults } }))

export const reorg = (key: string, depth: number): Effect.Effect<void, SandboxError> =>
  Effect.asVoid(ask("/sandbox/reorg", { key, body: { depth } }))
