import { clearInterval, setInterval } from "node:timers"
import { Clock, Context, Effect, Layer, Metric } from "effect"
import type { Fiber } from "effect"
import { LinkedList } from "../../internal/LinkedList.ts"
import { toMonotonicMillis } from "../../internal/monotonic.ts"

/** The capacity of the service. */
export interface Capacity {
  /** Requests whose response has not begun. */
  readonly waiting: number
  /** How long the thread may work, in its own CPU milliseconds, before it has processed everything that is due. */
  readonly stretchMs: number
  /** Requests admitted in each such interval, however long it takes: a single large response causes no rejection. */
  readonly atLeast: number
  /** A response that has not begun by then, or a little later, is abandoned; calls to sources time out earlier. */
  readonly timeoutMs: number
}

export const standardCapacity: Capacity = { waiting: 256, stretchMs: 40, atLeast: 16, timeoutMs: 60_000 }

const measureEveryMs = 10
/** After this long without a request, measuring stops until the next one. */
const quietMeasurements = 100

const refused = Metric.counter("chaintape_http_refused_total", {
  description: "Requests that were refused because the service had more work than it could do",
  incremental: true
})
const refusedWaiting = Metric.withAttributes(refused, { reason: "waiting" })
const refusedBusy = Metric.withAttributes(refused, { reason: "busy" })
const waitingNow = Metric.gauge("chaintape_http_waiting", { description: "Requests whose response has not begun" })

/** The CPU time of the calling thread: other load on the machine does not count. */
const threadMs = () => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

/** Requests per measurement of the thread's CPU time. */
const requestsPerMeasurement = 4

/** Checks for late responses per timeout. */
const checksPerTimeout = 20

interface Waiting {
  readonly fiber: Fiber.Fiber<unknown, unknown>
  readonly since: number
  isLate: boolean
}

/** Measures the CPU time of the thread while there are requests. */
const makeThreadMeter = (
  { atLeast, stretchMs }: Capacity,
  waiting: LinkedList<Waiting>,
  context: Context.Context<never>
) => {
  let measuredAt = 0
  let cameIn = 0
  let isBusy = false
  let quietCount = 0
  // A timer of the measured thread, and not a sleeping fiber: it fires when the thread has caught up.
  let timer: ReturnType<typeof setInterval> | undefined
  const end = () => {
    clearInterval(timer)
    timer = undefined
  }
  const measure = () => {
    quietCount = cameIn === 0 && waiting.size === 0 ? quietCount + 1 : 0
    measuredAt = threadMs()
    cameIn = 0
    isBusy = false
    waitingNow.updateUnsafe(waiting.size, context)
    // An idle service is not woken a hundred times per second.
    if (quietCount >= quietMeasurements) end()
  }
  return {
    begin: () => {
      if (timer !== undefined) return
      quietCount = 0
      measuredAt = threadMs()
      timer = setInterval(measure, measureEveryMs).unref()
    },
    end,
    /** Counts a request that came in. False if the thread has more work than it can do. */
    admits: (): boolean => {
      cameIn += 1
      if (cameIn <= atLeast) return true
      // Reading the thread's clock costs a fraction of a small response: not once per request.
      if ((cameIn - atLeast) % requestsPerMeasurement === 1) isBusy = threadMs() - measuredAt > stretchMs
      return !isBusy
    }
  }
}

/** Interrupts the requests whose response is late. */
const interruptLate = (waiting: LinkedList<Waiting>, clock: Clock.Clock, timeoutMs: number) =>
  // One pass over all of them costs less than a timer and a fiber for each.
  Effect.sync(() => {
    const now = toMonotonicMillis(clock)
    for (const one of waiting.toArray()) {
      if (now - one.since < timeoutMs) break
      if (one.isLate) continue
      one.isLate = true
      one.fiber.interruptUnsafe()
    }
  })

/**
 * Decides whether another request is admitted. A service that admits everything ends up serving no one: beyond its
 * capacity, requests are rejected at once, before any of their work.
 */
export class LoadShedder extends Context.Service<
  LoadShedder,
  {
    /** Why a request is rejected, as a sentence. */
    readonly refusalReason: () => string | undefined
    /**
     * Counts a request as waiting while the effect runs. One that times out is interrupted; `tooLate` replaces what it
     * has succeeded with in spite of that.
     */
    readonly count: <A, E, R>(
      effect: Effect.Effect<A, E, R>,
      tooLate?: (timeoutMs: number) => A
    ) => Effect.Effect<A, E, R>
  }
>()("@chaintape/server/http/socket/LoadShedder") {
  static readonly layer = (capacity: Capacity = standardCapacity) =>
    Layer.effect(
      LoadShedder,
      Effect.gen(function* () {
        const { timeoutMs, waiting: max } = capacity
        const context = yield* Effect.context<never>()
        const clock = yield* Clock.Clock
        const waiting = new LinkedList<Waiting>()
        const meter = makeThreadMeter(capacity, waiting, context)
        yield* Effect.addFinalizer(() => Effect.sync(meter.end))
        yield* Effect.sleep(timeoutMs / checksPerTimeout).pipe(
          Effect.andThen(interruptLate(waiting, clock, timeoutMs)),
          Effect.forever,
          Effect.forkScoped
        )
        return LoadShedder.of({
          refusalReason: () => {
            meter.begin()
            if (waiting.size >= max) {
              refusedWaiting.updateUnsafe(1, context)
              return `${max} requests are waiting already: try again in a second.`
            }
            if (meter.admits()) return undefined
            refusedBusy.updateUnsafe(1, context)
            return "The service has more work than it can do: try again in a second."
          },
          count: (effect, tooLate) =>
            Effect.withFiber((fiber) => {
              const own: Waiting = { fiber, since: toMonotonicMillis(clock), isLate: false }
              const leave = waiting.add(own)
              meter.begin()
              return Effect.ensuring(
                // An interrupted request may have responded that it was interrupted.
                Effect.map(effect, (found) => (own.isLate && tooLate !== undefined ? tooLate(timeoutMs) : found)),
                Effect.sync(leave)
              )
            })
        })
      })
    )
}
