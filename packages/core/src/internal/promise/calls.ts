/** The calls of a client as promises. The casts say that a plain request is one that the client converts and checks. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Operation from "../../api/Operation.ts"
import type { CallOptions as ClientCallOptions, Client } from "../../client/Client.ts"
import { isMarked } from "../../problem/ChaintapeError.ts"
import type { AnswerCall, Call, CallOptions } from "../../promise/Call.ts"
import { methodsOf } from "../client/calls.ts"
import { toPlain } from "./plain.ts"

/** With its own, which Effect gives every error, Node prints the members alone: neither message nor stack. */
const inspect = Symbol.for("nodejs.util.inspect.custom")

/** Gives an error the stack of its caller: its own begins in a scheduler. Callers that share a call share its error. */
export const withStack = (error: unknown, caller: Error): unknown => {
  if (!isMarked(error) || Object.hasOwn(error, inspect)) return error
  const frames = String(caller.stack)
    .split("\n")
    .filter((line) => / at |@/.test(line) && !/promise\/(calls|iterate)\./.test(line))
  error.stack = [String(error), ...frames].join("\n")
  return Object.defineProperty(error, inspect, { value: undefined })
}

/** The error itself, without the wrapper of a runtime. */
const settle = async <A, E>(effect: Effect.Effect<A, E>, signal: AbortSignal | undefined): Promise<A> => {
  signal?.throwIfAborted()
  const caller = new Error()
  const exit = await Effect.runPromiseExit(effect, { signal })
  if (Exit.isSuccess(exit)) return exit.value
  if (Cause.hasInterruptsOnly(exit.cause)) signal?.throwIfAborted()
  throw withStack(Cause.squash(exit.cause), caller)
}

/** A call without options of its own can share an equal call in progress. */
export const toCallOptions = (options: CallOptions | undefined): ClientCallOptions | undefined => {
  if (options === undefined) return undefined
  const { signal: _signal, ...rest } = options
  return Object.values(rest).some((value) => value !== undefined) ? rest : undefined
}

type Operations = { readonly [name: string]: Operation.Any }

export const promiseCall =
  <Op extends Operation.Any>({ call }: Client["Service"], operation: Op): Call<Op> =>
  async (...[request, options]) =>
    settle(
      Effect.map(call(operation, request as Operation.Input<Op>, toCallOptions(options)), ({ value }) =>
        toPlain(value)
      ),
      options?.signal
    )

const answerCall =
  <Op extends Operation.Any>({ call }: Client["Service"], operation: Op): AnswerCall<Op> =>
  async (...[request, options]) =>
    settle(
      Effect.map(call(operation, request as Operation.Input<Op>, toCallOptions(options)), toPlain),
      options?.signal
    )

/** The methods of a group. */
export const groupOf = <Methods, ResponseMethods>(
  client: Client["Service"],
  operations: Operations
): Methods & { readonly withResponse: ResponseMethods } => ({
  ...methodsOf<Methods>(operations, (operation) => promiseCall(client, operation)),
  withResponse: methodsOf<ResponseMethods>(operations, (operation) => answerCall(client, operation))
})
