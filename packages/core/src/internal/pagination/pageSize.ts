/** The size of the pages of a stream, which its requests call `limit`. */
import * as Effect from "effect/Effect"
import { InvalidParameter } from "../../problem/Problem.ts"

const toPageSizeProblem = (error: InvalidParameter): InvalidParameter =>
  new InvalidParameter({
    detail: error.detail.replaceAll('"limit"', '"pageSize"'),
    issues: error.issues.map(({ message, parameter }) => ({
      parameter: parameter === "limit" ? "pageSize" : parameter,
      message
    }))
  })

/** Reports an invalid size by the name of the caller's option. The cast says that the error keeps its class. */
export const withPageSizeProblem = <A, E, R>(read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.mapError(read, (error) =>
    error instanceof InvalidParameter && error.issues.some(({ parameter }) => parameter === "limit")
      ? (toPageSizeProblem(error) as E & InvalidParameter)
      : error
  )
