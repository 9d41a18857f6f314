/**
 * Operations of the interface as plain values, from which the server's contract, the clients and the documentation are
 * derived.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { Internal, RateLimited } from "@chaintape/core"
 * import { Operation, Parameter } from "@chaintape/core/operations"
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
import { noParameters } from "../internal/contract/schemas.ts"
import type { Decoder } from "../internal/decode/decoding.ts"
import type { Proof } from "./Answer.ts"
import type { Parameter, Parameters, Relation } from "./Parameter.ts"

export { problemClass, type ProblemClass } from "../internal/contract/problemClass.ts"

/**
 * The schemas of a record of parameters, by name.
 *
 * @example
 * ```ts
 * import type { Operation, Parameter } from "@chaintape/core/operations"
 *
 * type Market = Operation.Schemas<{ readonly market: typeof Parameter.market }>["market"]["Type"]
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type Schemas<P extends Parameters> = { readonly [K in keyof P]: P[K]["schema"] }

/**
 * A class of one kind of problem.
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
  /** Unique within its group. */
  readonly name: Name
  /** The group of the operation: `cex`, `dex`, `blocks` or `system`. */
  readonly group: string
  /** Placeholders are written `:name`. */
  readonly path: Path
  /** The parameters of the path, by placeholder. */
  readonly params: Params
  /** The parameters of the query. */
  readonly query: Query
  /** Constraints between several parameters. */
  readonly relations: ReadonlyArray<Relation>
  /** The schema of the response. */
  readonly success: Success
  /** Every problem of the operation. */
  readonly problems: Problems
  /** Whether the operation needs a key. */
  readonly requiresApiKey: boolean
  /** Reads what response headers prove about the value; nothing if absent. */
  readonly proof?: (headers: Headers) => Proof
  /** The schema of the response with its decimals as strings, where they are numbers on the wire. */
  readonly inText?: Schema.Codec<unknown, unknown>
  /** How a client decodes the response, by `inText` or else by `success`; by the schema alone if absent. */
  readonly decoder?: (schema: Schema.Codec<unknown, unknown>) => Decoder
}

/**
 * Any operation, for code that treats all of them alike.
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
 * Creates an operation. By default it needs a key and has no parameters.
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
  readonly requiresApiKey?: boolean
  readonly proof?: (headers: Headers) => Proof
  readonly inText?: Schema.Codec<unknown, unknown>
  readonly decoder?: (schema: Schema.Codec<unknown, unknown>) => Decoder
}): Operation<Name, Path, Params, Query, Success, Problems> => ({
  relations: [],
  requiresApiKey: true,
  params: noParameters<Params>(),
  query: noParameters<Query>(),
  ...options
})

type Values<P extends Parameters> = Schema.Struct.Type<Schemas<P>>
type Inputs<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends Parameter<infer _S, infer I> ? I : never
}
type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined }

/**
 * The input of a call: path parameters, and optional query parameters, each in any form that a program may give it.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import type { Operation } from "@chaintape/core/operations"
 * import type { trades } from "@chaintape/core/operations/cex"
 *
 * const since: Operation.Input<typeof trades>["since"] = "2026-01-02T03:04:05Z"
 * ```
 */
export type Input<Op> =
  Op extends Operation<string, `/${string}`, infer P, infer Q, infer _S, infer _F>
    ? keyof P | keyof Q extends never
      ? { readonly [name: string]: never }
      : Inputs<P> & Optional<Inputs<Q>>
    : never

/**
 * The parameters of a call as values: what a server has decoded.
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
 * The value of the operation.
 *
 * @since 0.1.0
 * @category models
 */
export type Success<Op extends Any> = Op["success"]["Type"]

/**
 * The problems of the operation, as a union.
 *
 * @since 0.1.0
 * @category models
 */
export type Problem<Op extends Any> = Op["problems"][number]["Type"]
