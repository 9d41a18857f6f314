/**
 * Operations of the interface as plain values. The server's contract, the clients and the documentation are derived
 * from them.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { Internal, RateLimited } from "@chaintape/core"
 * import * as Operation from "@chaintape/core/api/Operation"
 * import * as Parameter from "@chaintape/core/api/Parameter"
 * import * as Schema from "effect/Schema"
 *
 * const greeting = Operation.make({
 *   name: "greeting",
 *   group: "system",
 *   path: "/greeting/:name",
 *   params: { name: Parameter.text("Whom to greet", "Ada") },
 *   success: Schema.Struct({ text: Schema.String }),
 *   problems: [Internal, RateLimited]
 * })
 *
 * type Greeting = typeof greeting
 * const request: Operation.Request<Greeting> = { name: "Ada" }
 * const answer = ({ name }: typeof request): Operation.Success<Greeting> => ({ text: `Hello, ${name}.` })
 * const isOurs = (problem: Operation.Problem<Greeting>): boolean => problem._tag === "Internal"
 *
 * // Any operation, whatever its parameters and answer
 * const codes = (operation: Operation.Any) => operation.problems.map(({ code }: Operation.AnyProblem) => code)
 * const described: Pick<Operation.Operation<"greeting", "/", {}, {}, Schema.String, []>, "name"> = greeting
 *
 * assert.deepEqual(codes(greeting), ["internal", "rate-limited"])
 * assert.equal(answer(request).text, "Hello, Ada.")
 * assert.equal(isOurs(new Internal({ detail: `${described.name} failed.` })), true)
 * ```
 */
import type { Headers } from "effect/http/Headers"
import type * as Schema from "effect/Schema"
import type { Proof } from "../client/Answer.ts"
import type { Decoder } from "../internal/decoding.ts"
import { noParameters, type Schemas } from "../internal/schemas.ts"
import type { Parameters, Relation } from "./Parameter.ts"

/**
 * A class whose instances are one kind of problem.
 *
 * @since 0.1.0
 * @category models
 */
export type AnyProblem = Schema.Codec<{ readonly _tag: string; readonly isRetryable: boolean }, unknown> & {
  readonly code: string
  readonly status: number
  readonly title: string
}

/**
 * One operation: a GET request.
 *
 * @since 0.1.0
 * @category models
 */
export interface Operation<
  out Name extends string,
  out Path extends `/${string}`,
  out Params extends Parameters,
  out Query extends Parameters,
  out Success extends Schema.Codec<unknown, unknown>,
  out Problems extends ReadonlyArray<AnyProblem>
> {
  /** Unique in its group. */
  readonly name: Name
  readonly group: string
  /** Placeholders are written `:name`. */
  readonly path: Path
  readonly params: Params
  readonly query: Query
  readonly relations: ReadonlyArray<Relation>
  readonly success: Success
  /** Every problem that the operation can answer. */
  readonly problems: Problems
  readonly keyed: boolean
  /** Reads what answers prove of their value, which is nothing where this is left out. */
  readonly proof?: (headers: Headers) => Proof
  /** How a client decodes the answer; by the schema alone where nothing is said. */
  readonly decoder?: (success: Schema.Codec<unknown, unknown>) => Decoder
}

/**
 * Any operation, for what treats all of them alike.
 *
 * @since 0.1.0
 * @category models
 */
export type Any = Operation<
  string,
  `/${string}`,
  Parameters,
  Parameters,
  Schema.Codec<unknown, unknown>,
  ReadonlyArray<AnyProblem>
>

/**
 * Makes an operation. It needs a key unless `keyed` is false, and has no parameters unless they are given.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <
  const Name extends string,
  const Path extends `/${string}`,
  Success extends Schema.Codec<unknown, unknown>,
  const Problems extends ReadonlyArray<AnyProblem>,
  Params extends Parameters = {},
  Query extends Parameters = {}
>(options: {
  readonly name: Name
  readonly group: string
  readonly path: Path
  readonly params?: Params
  readonly query?: Query
  readonly relations?: ReadonlyArray<Relation>
  readonly success: Success
  readonly problems: Problems
  readonly keyed?: boolean
  readonly proof?: (headers: Headers) => Proof
  readonly decoder?: (success: Schema.Codec<unknown, unknown>) => Decoder
}): Operation<Name, Path, Params, Query, Success, Problems> => ({
  relations: [],
  keyed: true,
  params: noParameters<Params>(),
  query: noParameters<Query>(),
  ...options
})

type Values<P extends Parameters> = Schema.Struct.Type<Schemas<P>>
type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined }

/**
 * What a caller passes: the parameters of the path, and those of the query that it wants to give.
 *
 * @since 0.1.0
 * @category models
 */
export type Request<Op> =
  Op extends Operation<string, `/${string}`, infer P, infer Q, infer _S, infer _F>
    ? keyof P | keyof Q extends never
      ? { readonly [name: string]: never }
      : Values<P> & Optional<Values<Q>>
    : never

/**
 * What the operation answers.
 *
 * @since 0.1.0
 * @category models
 */
export type Success<Op extends Any> = Op["success"]["Type"]

/**
 * The problems that the operation can answer, as a union.
 *
 * @since 0.1.0
 * @category models
 */
export type Problem<Op extends Any> = Op["problems"][number]["Type"]
