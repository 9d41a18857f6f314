/**
 * The calls of a client as promises.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import { ping } from "@chaintape/core/api/SystemOperations"
 * import { makePromiseCalls, type PromiseCalls } from "@chaintape/core/promise/PromiseCalls"
 * import { Effect } from "effect"
 *
 * const layer = Client.layer({ baseUrl: "http://127.0.0.1:3000" })
 * const calls: PromiseCalls = makePromiseCalls(Effect.runSync(Effect.provide(Client, layer)))
 * const address = async () => (await calls.read(ping, {}, undefined)).ip
 * ```
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { Fetch } from "effect/http/FetchHttpClient"
import * as Stream from "effect/Stream"
import type * as Operation from "../api/Operation.ts"
import type { Answer } from "../client/Answer.ts"
import type { CallOptions as ClientCallOptions, Client } from "../client/Client.ts"
import type { ClientError } from "../client/ClientError.ts"
import { toDuration, toPlain, toPolicy, toRequest, toStreamRequest } from "../internal/promise/plain.ts"
import type { CallOptions, PlainRequest, PlainStreamRequest } from "./Call.ts"
import type { Plain } from "./Plain.ts"

/**
 * The parts of every group of calls.
 *
 * @since 0.1.0
 * @category models
 */
export interface PromiseCalls {
  /** Runs an operation and returns its value. */
  readonly read: <Op extends Operation.Any>(
    operation: Op,
    request: PlainRequest<Op>,
    options: CallOptions | undefined
  ) => Promise<Plain<Operation.Success<Op>>>
  /** Runs an operation and returns its value with what the response headers say about it. */
  readonly answer: <Op extends Operation.Any>(
    operation: Op,
    request: PlainRequest<Op>,
    options: CallOptions | undefined
  ) => Promise<Plain<Answer<Operation.Success<Op>>>>
  /** An async iterable that reads pages on demand; `make` receives a function that reads one page of the operation. */
  readonly stream: <Op extends Operation.Any, R extends object, A, E>(
    operation: Op,
    request: PlainStreamRequest<R>,
    options: CallOptions | undefined,
    make: (read: ReadPage<Op>, request: R) => Stream.Stream<A, E>
  ) => AsyncIterable<Plain<A>>
}

type ReadPage<Op extends Operation.Any> = (
  request: Operation.Request<Op>
) => Effect.Effect<Answer<Operation.Success<Op>>, Operation.Problem<Op> | ClientError>

/** The error itself, without the wrapper of a runtime. */
const settle = async <A, E>(effect: Effect.Effect<A, E>, signal: AbortSignal | undefined): Promise<A> => {
  signal?.throwIfAborted()
  const exit = await Effect.runPromiseExit(effect, { signal })
  if (Exit.isSuccess(exit)) return exit.value
  if (Cause.hasInterruptsOnly(exit.cause)) signal?.throwIfAborted()
  throw Cause.squash(exit.cause)
}

const aborted = (signal: AbortSignal): Effect.Effect<never, unknown> =>
  Effect.callback((resume) => {
    const abort = () => resume(Effect.fail(signal.reason))
    if (signal.aborted) return abort()
    signal.addEventListener("abort", abort, { once: true })
    return Effect.sync(() => signal.removeEventListener("abort", abort))
  })

/** One element at a time: nothing is prefetched except the rest of a page, and leaving the loop ends the stream. */
async function* iterate<A, E>(stream: Stream.Stream<A, E>, signal: AbortSignal | undefined): AsyncGenerator<Plain<A>> {
  signal?.throwIfAborted()
  const ending: Stream.Stream<A, unknown> =
    signal === undefined ? stream : Stream.interruptWhen(stream, aborted(signal))
  for await (const element of Stream.toAsyncIterable(ending)) {
    // The rest of a page was read, and is discarded.
    signal?.throwIfAborted()
    yield toPlain(element)
  }
}

/** A call without options of its own can share an equal call in progress. */
const callOptions = ({ deadline, retry }: CallOptions = {}): ClientCallOptions | undefined =>
  deadline === undefined && retry === undefined
    ? undefined
    : {
        deadline: deadline === undefined ? undefined : toDuration("deadline", deadline),
        retry: retry === undefined ? undefined : toPolicy(retry)
      }

/**
 * The calls of a client as promises; errors reject them unchanged. A client with its own `fetch` must pass it to its
 * live streams.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makePromiseCalls = (
  { call }: Client["Service"],
  fetch?: typeof globalThis.fetch | undefined
): PromiseCalls => ({
  read: async (operation, request, options) => {
    const answer = call(operation, toRequest(operation, request), callOptions(options))
    return settle(
      Effect.map(answer, ({ value }) => toPlain(value)),
      options?.signal
    )
  },
  answer: async (operation, request, options) =>
    settle(Effect.map(call(operation, toRequest(operation, request), callOptions(options)), toPlain), options?.signal),
  stream: (operation, request, options, make) => {
    const each = callOptions(options)
    const elements = make((page) => call(operation, page, each), toStreamRequest(operation, request))
    return iterate(fetch === undefined ? elements : Stream.provideService(elements, Fetch, fetch), options?.signal)
  }
})
