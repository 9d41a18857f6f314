/** The calls of a client as promises. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Method } from "../../client/CallMode.ts"
import type { CallOptions as ClientCallOptions, Client } from "../../client/Client.ts"
import type { Answer } from "../../operation/Answer.ts"
import type * as Operation from "../../operation/Operation.ts"
import { isMarked } from "../../problem/ChaintapeError.ts"
import type { CallOptions, PlainArguments } from "../../promise/call/Call.ts"
import { methodsOf } from "../calls/calls.ts"
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

/** A call without options of its own can share an equal call in progress. */
export const toCallOptions = (options: CallOptions | undefined): ClientCallOptions | undefined => {
  if (options === undefined) return undefined
  const { signal: _signal, ...rest } = options
  return Object.values(rest).some((value) => value !== undefined) ? rest : undefined
}

type Operations = { readonly [name: string]: Operation.Any }

/** A promise that is rejected with the error itself, without the wrapper of a runtime. */
const makeCall =
  <Op extends Operation.Any, A>(
    { call }: Client["Service"],
    operation: Op,
    toResult: (answer: Answer<Operation.Success<Op>>) => A
  ) =>
  async (...[request, options]: PlainArguments<Operation.Input<Op>>): Promise<A> => {
    const signal = options?.signal
    signal?.throwIfAborted()
    const caller = new Error()
    // The client converts a plain request, and checks it before it sends anything.
    const answer = call(operation, request as Operation.Input<Op>, toCallOptions(options))
    const exit = await Effect.runPromiseExit(answer, { signal })
    if (Exit.isSuccess(exit)) return toResult(exit.value)
    if (Cause.hasInterruptsOnly(exit.cause)) signal?.throwIfAborted()
    throw withStack(Cause.squash(exit.cause), caller)
  }

export const makePromiseCall = <Op extends Operation.Any>(
  client: Client["Service"],
  operation: Op
): Method<"promise", Op> => makeCall(client, operation, ({ value }) => toPlain(value))

/** The methods of a group. */
export const makeGroup = <Methods, ResponseMethods>(
  client: Client["Service"],
  operations: Operations
): Methods & { readonly withResponse: ResponseMethods } => ({
  ...methodsOf<Methods>(operations, (operation) => makePromiseCall(client, operation)),
  withResponse: methodsOf<ResponseMethods>(operations, (operation) => makeCall(client, operation, toPlain))
})
