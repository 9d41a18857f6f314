/** Streams as async iterables. */
import type * as Effect from "effect/Effect"
import { Fetch } from "effect/http/FetchHttpClient"
import * as Stream from "effect/Stream"
import type { Answer } from "../../operation/Answer.ts"
import type * as Operation from "../../operation/Operation.ts"
import type { ClientError } from "../../problem/ClientError.ts"
import type { CallOptions, PlainRequest } from "../../promise/call/Call.ts"
import type { Plain } from "../../promise/call/Plain.ts"
import { toCallOptions, withStack } from "./calls.ts"
import { getTransport } from "./clientTransport.ts"
import { toPlain } from "./plain.ts"

/** One element at a time: nothing is prefetched except the rest of a page. */
async function* plainElements<A>(elements: AsyncIterator<A>, signal: AbortSignal | undefined, caller: Error) {
  // Also while no element is requested.
  const end = () => void elements.return?.()
  try {
    signal?.throwIfAborted()
    signal?.addEventListener("abort", end)
    for await (const element of { [Symbol.asyncIterator]: () => elements }) {
      // The rest of a page was read, and is discarded.
      signal?.throwIfAborted()
      yield toPlain(element)
    }
    signal?.throwIfAborted()
  } catch (error) {
    throw withStack(error, caller)
  } finally {
    signal?.removeEventListener("abort", end)
  }
}

/**
 * Leaving the loop ends the stream, and so does `return` while an element is awaited, for which a generator would wait. It has no
 * `throw`: a `Readable` that is destroyed with an error calls `return` then.
 */
const run = <A, E>(stream: Stream.Stream<A, E>, signal: AbortSignal | undefined): AsyncIterator<Plain<A>> => {
  const elements = Stream.toAsyncIterable(stream)[Symbol.asyncIterator]()
  const generator = plainElements(elements, signal, new Error())
  return {
    next: () => generator.next(),
    return: async () => {
      await elements.return?.()
      return generator.return(undefined)
    }
  }
}

type ReadPage<Op extends Operation.Any> = (
  request: Operation.Input<Op>
) => Effect.Effect<Answer<Operation.Success<Op>>, Operation.Problem<Op> | ClientError>

/** An iterable that reads pages on demand, and from the start with each loop. */
export const iterate = <Op extends Operation.Any, Request extends object, A, E>(
  chaintape: object,
  operation: Op,
  request: PlainRequest<Request>,
  options: CallOptions | undefined,
  make: (read: ReadPage<Op>, request: Request) => Stream.Stream<A, E>
): AsyncIterable<Plain<A>> => {
  const { client, fetch } = getTransport(chaintape)
  const each = toCallOptions(options)
  // The stream converts a plain request, and checks it before it sends anything.
  const elements = make((page) => client.call(operation, page, each), request as Request)
  const routed = fetch === undefined ? elements : Stream.provideService(elements, Fetch, fetch)
  return { [Symbol.asyncIterator]: () => run(routed, options?.signal) }
}
