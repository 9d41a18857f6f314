/**
 * Lines of a script: the reply of each operation, in plain values.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { SystemOperations } from "@chaintape/core/operations"
 * import { Script, mockResponse } from "@chaintape/core/testing"
 * import { Effect } from "effect"
 *
 * type Answered = { readonly ping: string; readonly ip: string }
 *
 * const reply: Script.Reply<typeof SystemOperations.ping, Answered> = { ping: "pong", ip: "192.0.2.1" }
 * const scripted: Script.Scripted<typeof SystemOperations.ping, Answered> = () => reply
 * const never: ReadonlyArray<Script.Failure<typeof SystemOperations.ping>> = []
 *
 * const script: ReadonlyArray<Script.Line> = [Script.line(SystemOperations.ping, scripted, (given: Answered) => Effect.succeed(mockResponse(given, {})))]
 * assert.equal(script.length + never.length, 1)
 * ```
 */
import type * as Brand from "effect/Brand"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type * as Operation from "../../operation/Operation.ts"
import type { ClientError } from "../../problem/ClientError.ts"
import type { MockResponse } from "./MockResponse.ts"

/**
 * A value of the interface as a test writes it: markets, addresses and decimals are plain strings. It is checked by the
 * schema of its operation.
 *
 * @example
 * ```ts
 * import type { LastTrade } from "@chaintape/core"
 * import type { Script } from "@chaintape/core/testing"
 *
 * const market: Script.Unbranded<LastTrade>["market"] = "BTC/USD"
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export type Unbranded<T> = T extends string & Brand.Brand<infer _Name>
  ? string
  : T extends string | number | bigint | boolean | null | undefined | DateTime.Utc | Option.Option<unknown>
    ? T
    : T extends ReadonlyArray<infer A>
      ? ReadonlyArray<Unbranded<A>>
      : { readonly [K in keyof T]: Unbranded<T[K]> }

/**
 * The problems of an operation.
 *
 * @since 0.1.0
 * @category models
 */
export type Failure<Op extends Operation.Any> = Operation.Problem<Op> | ClientError

/**
 * One reply: a value, a value with response headers, a problem, or an effect of these.
 *
 * @since 0.1.0
 * @category models
 */
export type Reply<Op extends Operation.Any, A> =
  | A
  | MockResponse<A>
  | Failure<Op>
  | Effect.Effect<A | MockResponse<A>, Failure<Op>>

/**
 * The reply of an operation in a test: constant, or a function of the request. The function gets the request as the
 * service does, with defaults for omitted parameters.
 *
 * @since 0.1.0
 * @category models
 */
export type Scripted<Op extends Operation.Any, A = Unbranded<Operation.Success<Op>>> =
  | Reply<Op, A>
  | ((request: Operation.Request<Op>) => Reply<Op, A>)

/**
 * One line of a script: an operation and its reply. Created by `line`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Line {
  /** The operation that is answered. */
  readonly operation: Operation.Any
  /** The response to a request, or its problem. */
  readonly reply: (request: { readonly [name: string]: unknown }) => Effect.Effect<MockResponse<unknown>, object>
}
