import type { Operation, Parameter } from "@chaintape/core/operations"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { textOf } from "../text/OperationText.ts"

const schemas = (parameters: Parameter.Parameters) =>
  Object.fromEntries(Object.entries(parameters).map(([name, parameter]) => [name, parameter.schema]))

export interface KeyField {
  readonly apiKey: Schema.optionalKey<Schema.String>
}

/** The endpoint of an operation. */
export type EndpointOf<
  Name extends string,
  Path extends `/${string}`,
  Params extends Parameter.Parameters,
  Query extends Parameter.Parameters,
  Success extends Schema.Codec<unknown, unknown>,
  Problems extends ReadonlyArray<Operation.AnyProblem>
> = HttpApiEndpoint.HttpApiEndpoint<
  Name,
  "GET",
  Path,
  Schema.toCodecStringTree<Schema.Struct<Operation.Schemas<Params>>>,
  Schema.toCodecStringTree<Schema.Struct<Operation.Schemas<Query> & KeyField>>,
  never,
  never,
  Schema.toCodecJson<Success>,
  Schema.toCodecJson<Problems[number]>
>

const asProblem = HttpApiSchema.asJson({ contentType: "application/problem+json" })

/**
 * The casts of its arguments widen them, and the cast of the call states the type that it would have for a concrete
 * operation: for a type parameter, the conditional types of `HttpApiEndpoint.get` cannot be resolved.
 */
const endpoint = <
  const Name extends string,
  const Path extends `/${string}`,
  Params extends Parameter.Parameters,
  Query extends Parameter.Parameters,
  Success extends Schema.Codec<unknown, unknown>,
  Problems extends ReadonlyArray<Operation.AnyProblem>
>(
  operation: Operation.Operation<Name, Path, Params, Query, Success, Problems>
): EndpointOf<Name, Path, Params, Query, Success, Problems> =>
  HttpApiEndpoint.get(operation.name, operation.path, {
    params: schemas(operation.params) as Schema.Struct.Fields,
    query: { ...schemas(operation.query), apiKey: Schema.optionalKey(Schema.String) } as Schema.Struct.Fields,
    success: operation.success as Schema.Top,
    error: operation.problems.map((problem) => asProblem(problem as unknown as Schema.Top))
  })
    .annotate(OpenApi.Summary, textOf(operation).summary)
    .annotate(OpenApi.Description, textOf(operation).description) as unknown as EndpointOf<
    Name,
    Path,
    Params,
    Query,
    Success,
    Problems
  >

type Endpoints<Operations extends ReadonlyArray<Operation.Any>> = {
  readonly [Index in keyof Operations]: Operations[Index] extends Operation.Operation<
    infer Name,
    infer Path,
    infer Params,
    infer Query,
    infer Success,
    infer Problems
  >
    ? EndpointOf<Name, Path, Params, Query, Success, Problems>
    : never
}

/** The endpoints of operations, in their order. The cast states what `map` does not: the type of each of them. */
export const endpoints = <const Operations extends ReadonlyArray<Operation.Any>>(
  operations: Operations
): Endpoints<Operations> => operations.map(endpoint) as unknown as Endpoints<Operations>
