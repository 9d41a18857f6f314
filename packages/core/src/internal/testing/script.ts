/**
 * Runs a script. Internal because the form of a reply is found at run time, and only the operation's type knows what a
 * schema makes of a value, which the casts here state once.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as Operation from "../../operation/Operation.ts"
import { invalidParameter, parameterIssues } from "../../operation/ParameterIssues.ts"
import type { Failure, Line, Scripted } from "../../testing/script/Line.ts"
import { MockResponse } from "../../testing/script/MockResponse.ts"
import { WrongScript } from "../../testing/script/WrongScript.ts"
import { unquoteDecimals } from "../decode/exactNumbers.ts"

const getName = ({ group, name }: Operation.Any) => `${group}.${name}`

const failScript = (sentence: string) => Effect.die(new WrongScript(sentence))

/** A failure of the interface; any other error is a value, which no schema accepts. */
const isFailure = (value: unknown): value is Error =>
  value instanceof Error && "isRetryable" in value && "_tag" in value

/** Fails with the given error, if the operation can fail with it. */
const failWith = (operation: Operation.Any, failure: Error): Effect.Effect<never, object> => {
  const isAllowed = !("code" in failure) || operation.problems.some(({ code }) => code === failure.code)
  return isAllowed
    ? Effect.fail(failure)
    : failScript(`"${getName(operation)}" cannot fail with ${failure.name}: the operation does not have this problem.`)
}

const settle = (operation: Operation.Any, reply: unknown): Effect.Effect<unknown, object> => {
  // A failure is an effect too, so it is checked first.
  if (isFailure(reply)) return failWith(operation, reply)
  if (!Effect.isEffect(reply)) return Effect.succeed(reply)
  return Effect.matchEffect(reply as Effect.Effect<unknown, unknown>, {
    onFailure: (failure) =>
      isFailure(failure)
        ? failWith(operation, failure)
        : failScript(
            `"${getName(operation)}" cannot fail with ${String(failure)}: it is not a problem of the interface.`
          ),
    onSuccess: Effect.succeed
  })
}

/**
 * An entry of a script: `serve` makes the operation's value of the test's reply. Headers from the test override those
 * of `serve`.
 *
 * @since 0.1.0
 * @category constructors
 *
 * @example
 * ```ts
 * import { SystemOperations } from "@chaintape/core/operations"
 * import { Script, mockResponse } from "@chaintape/core/testing"
 * import { Effect } from "effect"
 *
 * const pong = Script.line(SystemOperations.ping, { ip: "192.0.2.1" }, ({ ip }: { readonly ip: string }) =>
 *   Effect.succeed(mockResponse({ ping: "pong", ip }, {}))
 * )
 * ```
 */
export const line = <Op extends Operation.Any, A>(
  operation: Op,
  scripted: Scripted<Op, A>,
  serve: (given: A, request: Operation.Request<Op>) => Effect.Effect<MockResponse<unknown>, Failure<Op>>
): Line => ({
  operation,
  reply: (request) =>
    Effect.gen(function* () {
      const reply: unknown = Predicate.isFunction(scripted)
        ? (scripted as (request: unknown) => unknown)(request)
        : scripted
      const given = yield* settle(operation, reply)
      const [value, metadata] = given instanceof MockResponse ? [given.value, given.metadata] : [given, {}]
      const served = yield* serve(value as A, request as Operation.Request<Op>)
      return new MockResponse(served.value, { ...served.metadata, ...metadata })
    })
})

/** The reply of an operation to the parameters of a URL. */
export interface ServedReply {
  readonly value: unknown
  /** The body of the response. */
  readonly body: string
  readonly metadata: MockResponse<unknown>["metadata"]
}

type Raw = { readonly [name: string]: string | ReadonlyArray<string> }

export const decodeParameters = (
  operation: Operation.Any,
  path: Raw,
  query: Raw
): { readonly [name: string]: unknown } => {
  const values: { [name: string]: unknown } = {}
  const read = (parameters: Operation.Any["params"], raw: Raw) => {
    for (const [name, { schema }] of Object.entries(parameters)) {
      const text = Object.hasOwn(raw, name) ? { value: raw[name] } : {}
      const decoded = Schema.decodeUnknownOption(Schema.Struct({ value: schema }))(text)
      if (Option.isSome(decoded) && decoded.value.value !== undefined) values[name] = decoded.value.value
    }
  }
  read(operation.params, path)
  read(operation.query, query)
  return values
}

/** Replies as the service does: invalid parameters are rejected, and the value is decoded by its schema. */
export const serveLine = ({ operation, reply }: Line, path: Raw, query: Raw): Effect.Effect<ServedReply, object> =>
  Effect.gen(function* () {
    const issues = parameterIssues(operation, path, query)
    if (issues.length > 0) return yield* Effect.fail(invalidParameter(issues))
    const { value, metadata } = yield* reply(decodeParameters(operation, path, query))
    const codec = Schema.toCodecJson(operation.inText ?? operation.success)
    const checked = Effect.gen(function* () {
      const wire = yield* Schema.encodeUnknownEffect(codec)(value)
      const text = JSON.stringify(wire)
      const body = operation.inText === undefined ? text : unquoteDecimals(text)
      return { body, value: yield* Schema.decodeUnknownEffect(codec)(wire), metadata }
    })
    return yield* checked.pipe(
      Effect.catch(({ message }) =>
        failScript(`The value given for "${getName(operation)}" is not one that the service can answer: ${message}`)
      )
    )
  })
