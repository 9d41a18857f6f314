/**
 * A script at work. Internal because which of its forms a reply has is found out at run time, and what a schema makes of
 * a value is known by the operation's type only, which the casts here state once.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as Operation from "../api/Operation.ts"
import { invalidParameter, parameterIssues } from "../api/ParameterIssues.ts"
import type { Failure, Line, Scripted } from "../testing/Script.ts"
import { Told } from "../testing/Told.ts"
import { WrongScript } from "../testing/WrongScript.ts"

const nameOf = ({ group, name }: Operation.Any) => `${group}.${name}`

const wrong = (sentence: string) => Effect.die(new WrongScript(sentence))

/** A failure of the interface; what else is an error is a value, and no schema takes it. */
const isFailure = (value: unknown): value is Error =>
  value instanceof Error && "isRetryable" in value && "_tag" in value

/** Fails with what is given, where the operation can. */
const failWith = (operation: Operation.Any, failure: Error): Effect.Effect<never, object> => {
  const isAllowed = !("code" in failure) || operation.problems.some(({ code }) => code === failure.code)
  return isAllowed
    ? Effect.fail(failure)
    : wrong(`"${nameOf(operation)}" is told to fail with ${failure.name}, which it can't answer.`)
}

const settle = (operation: Operation.Any, reply: unknown): Effect.Effect<unknown, object> => {
  // A failure is an effect too, so it is looked for first.
  if (isFailure(reply)) return failWith(operation, reply)
  if (!Effect.isEffect(reply)) return Effect.succeed(reply)
  return Effect.matchEffect(reply as Effect.Effect<unknown, unknown>, {
    onFailure: (failure) =>
      isFailure(failure)
        ? failWith(operation, failure)
        : wrong(
            `"${nameOf(operation)}" is told to fail with ${String(failure)}, which is no problem of the interface.`
          ),
    onSuccess: Effect.succeed
  })
}

/**
 * A line of a script: `serve` makes the operation's value of what the test gives. What the test tells stands before what
 * `serve` tells.
 *
 * @since 0.1.0
 * @category constructors
 *
 * @example
 * ```ts
 * import { ping } from "@chaintape/core/api/SystemOperations"
 * import { line, told } from "@chaintape/core/testing"
 * import { Effect } from "effect"
 *
 * const pong = line(ping, { ip: "192.0.2.1" }, ({ ip }: { readonly ip: string }) =>
 *   Effect.succeed(told({ ping: "pong", ip }, {}))
 * )
 * ```
 */
export const line = <Op extends Operation.Any, A>(
  operation: Op,
  scripted: Scripted<Op, A>,
  serve: (given: A, request: Operation.Request<Op>) => Effect.Effect<Told<unknown>, Failure<Op>>
): Line => ({
  operation,
  reply: (request) =>
    Effect.gen(function* () {
      const reply: unknown = Predicate.isFunction(scripted)
        ? (scripted as (request: unknown) => unknown)(request)
        : scripted
      const given = yield* settle(operation, reply)
      const [value, words] = given instanceof Told ? [given.value, given.words] : [given, {}]
      const served = yield* serve(value as A, request as Operation.Request<Op>)
      return new Told(served.value, { ...served.words, ...words })
    })
})

/** What an operation answers to the parameters of a URL. */
export interface Played {
  readonly value: unknown
  readonly wire: unknown
  readonly words: Told<unknown>["words"]
}

type Raw = { readonly [name: string]: string | ReadonlyArray<string> }

const decodeParameters = (operation: Operation.Any, path: Raw, query: Raw): { readonly [name: string]: unknown } => {
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

/** Answers as the service does: wrong parameters are refused, and the value is what its schema lets through. */
export const play = ({ operation, reply }: Line, path: Raw, query: Raw): Effect.Effect<Played, object> =>
  Effect.gen(function* () {
    const issues = parameterIssues(operation, path, query)
    if (issues.length > 0) return yield* Effect.fail(invalidParameter(issues))
    const { value, words } = yield* reply(decodeParameters(operation, path, query))
    const codec = Schema.toCodecJson(operation.success)
    const checked = Effect.gen(function* () {
      const wire = yield* Schema.encodeUnknownEffect(codec)(value)
      return { wire, value: yield* Schema.decodeUnknownEffect(codec)(wire), words }
    })
    return yield* checked.pipe(
      Effect.catch(({ message }) =>
        wrong(`The value given for "${nameOf(operation)}" is not one that the service can answer: ${message}`)
      )
    )
  })
