/**
 * Operations of the interface as plain values. The server's contract, the clients and the documentation are derived
 * from them.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"
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
  readonly summary: string
  readonly description: string
}

/**
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
  readonly summary: string
  readonly description: string
}): Operation<Name, Path, Params, Query, Success, Problems> => ({
  relations: [],
  keyed: true,
  ...options,
  params: options.params ?? noParameters<Params>(),
  query: options.query ?? noParameters<Query>()
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
    ? Values<P> & Optional<Values<Q>>
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
