import { Clock, Effect, Fiber, Random } from "effect"
import { call } from "../../HttpCall.ts"

/** A response with a status of 500 or more. */
export interface ServerFailure {
  readonly at: number
  readonly path: string
  readonly status: number
  readonly body: string
  /** It comes from the balancer, which found no instance. */
  readonly isNowhere: boolean
}

export interface LoadFigures {
  requests: number
  /** Requests whose response never arrived, or broke off. */
  unanswered: number
  readonly statuses: Record<number, number>
  readonly failures: Array<ServerFailure>
  slowestMs: number
}

/** The requests: recorded data, indexed data, and data read from the sources. */
const toPaths = (products: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...products.flatMap((product) => [
    `/v2/cex/sandbox/${product}/lasttrade`,
    `/v2/cex/sandbox/${product}/trades?limit=200`,
    `/v2/cex/sandbox/${product}/lastaggregate/1m`
  ]),
  "/v2/cex/exchanges",
  "/v2/dex/uniswap-v3/devnet",
  "/v2/dex/uniswap-v3/devnet/pools?limit=20",
  "/v2/blocks/devnet?limit=10"
]

const newFigures = (): LoadFigures => ({ requests: 0, unanswered: 0, statuses: {}, failures: [], slowestMs: 0 })

/** Callers that send one request after the other, until the scope ends. */
export const startLoad = Effect.fnUntraced(function* (
  origin: string,
  key: string,
  products: ReadonlyArray<string>,
  { callers, pauseMs }: { readonly callers: number; readonly pauseMs: number }
) {
  const paths = toPaths(products)
  let figures = newFigures()
  const askOnce = Effect.gen(function* () {
    const path = paths[yield* Random.nextIntBetween(0, paths.length - 1)] ?? ""
    const into = figures
    const begun = yield* Clock.currentTimeMillis
    const reply = yield* call(origin, { path, headers: { "api-key": key }, patienceMs: 90_000 }).pipe(
      Effect.tapError(({ message }) => Effect.logWarning(`unanswered: ${message}`)),
      Effect.option
    )
    const at = yield* Clock.currentTimeMillis
    into.requests += 1
    into.slowestMs = Math.max(into.slowestMs, at - begun)
    if (reply._tag === "None") {
      into.unanswered += 1
      return
    }
    const { body, headers, status } = reply.value
    into.statuses[status] = (into.statuses[status] ?? 0) + 1
    if (status >= 500)
      into.failures.push({ at, path, status, body: body.slice(0, 300), isNowhere: "x-balancer" in headers })
  })
  const caller = Effect.forever(Effect.andThen(askOnce, Effect.sleep(pauseMs)))
  const fibers = yield* Effect.forEach(Array.from({ length: callers }), () => Effect.forkScoped(caller))
  return {
    /** The figures since the last call. */
    take: Effect.sync(() => {
      const taken = figures
      figures = newFigures()
      return taken
    }),
    stop: Fiber.interruptAll(fibers)
  }
})
