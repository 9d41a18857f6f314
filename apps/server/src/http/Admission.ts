import { clearInterval, setInterval } from "node:timers"
import { Clock, Context, Effect, Layer, Metric } from "effect"
import type { Fiber } from "effect"
import { monotonicMillisOf } from "../internal/monotonic.ts"

/** What the service takes on at once. */
export interface Capacity {
  /** Requests whose answer has not begun. */
  readonly waiting: number
  /** How long the thread may work, in its own milliseconds, before it has looked at everything that is due. */
  readonly stretchMs: number
  /** Requests that come in during each stretch, however long it takes: one large answer turns nobody away. */
  readonly atLeast: number
  /** An answer that has not begun by then, or a little later, is given up; whatever asks a source gives up earlier. */
  readonly patienceMs: number
}

export const standardCapacity: Capacity = { waiting: 256, stretchMs: 40, atLeast: 16, patienceMs: 60_000 }

const looksEveryMs = 10
/** So long without a request, and it is not looked any more until the next one. */
const looksOfQuiet = 100

const refused = Metric.counter("chaintape_http_refused_total", {
  description: "Requests that were refused because the service had more work than it could do",
  incremental: true
})
const refusedWaiting = Metric.withAttributes(refused, { reason: "waiting" })
const refusedBusy = Metric.withAttributes(refused, { reason: "busy" })
const waitingNow = Metric.gauge("chaintape_http_waiting", { description: "Requests whose answer has not begun" })

/** What the calling thread has worked so far: what the machine is busy with otherwise does not count. */
const threadMs = () => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

/** Requests for which it is looked once whether the thread has worked too long. */
const requestsOfLook = 4

/** How often it is looked for late answers, in the time that they have. */
const looksForLate = 20

interface Waiting {
  readonly fiber: Fiber.Fiber<unknown, unknown>
  readonly since: number
  isLate: boolean
}

/**
 * Whether another request may come in. A service that takes on everything serves nobody in the end: beyond its capacity
 * the rest is refused at once, before any of the work that a request is.
 */
export class Admission extends Context.Service<
  Admission,
  {
    /** Why there is no room for another request, as a sentence. */
    readonly obstacle: () => string | undefined
    /** Counts a request as waiting until its answer is there. One that does not come in time is interrupted. */
    readonly count: <A, E, R>(
      answer: Effect.Effect<A, E, R>,
      tooLate: (patienceMs: number) => A
    ) => Effect.Effect<A, E, R>
  }
>()("@chaintape/server/http/Admission") {
  static readonly layer = ({ atLeast, patienceMs, stretchMs, waiting: most }: Capacity = standardCapacity) =>
    Layer.effect(
      Admission,
      Effect.gen(function* () {
        const context = yield* Effect.context<never>()
        const waiting = new Set<Waiting>()
        let lookedAt = 0
        let cameIn = 0
        let isBusy = false
        let quietLooks = 0
        let timer: ReturnType<typeof setInterval> | undefined
        const end = () => {
          clearInterval(timer)
          timer = undefined
        }
        const look = () => {
          quietLooks = cameIn === 0 && waiting.size === 0 ? quietLooks + 1 : 0
          lookedAt = threadMs()
          cameIn = 0
          isBusy = false
          waitingNow.updateUnsafe(waiting.size, context)
          // A service that nobody asks anything is not woken a hundred times in a second.
          if (quietLooks >= looksOfQuiet) end()
        }
        const begin = () => {
          quietLooks = 0
          lookedAt = threadMs()
          timer = setInterval(look, looksEveryMs).unref()
        }
        // A timer of the thread that is measured, and no sleeping fiber: it looks when the thread has caught up.
        yield* Effect.addFinalizer(() => Effect.sync(end))
        const clock = yield* Clock.Clock
        // One look at all of them costs less than a timer and a fiber for each.
        const interruptLate = Effect.sync(() => {
          const now = monotonicMillisOf(clock)
          for (const one of waiting) {
            if (now - one.since < patienceMs) break
            if (one.isLate) continue
            one.isLate = true
            one.fiber.interruptUnsafe()
          }
        })
        yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(patienceMs / looksForLate), interruptLate)))
        const because = (counted: typeof refused, sentence: string) => {
          counted.updateUnsafe(1, context)
          return sentence
        }
        return Admission.of({
          obstacle: () => {
            if (timer === undefined) begin()
            if (waiting.size >= most)
              return because(refusedWaiting, `${most} requests are waiting already: try again in a second.`)
            cameIn += 1
            if (cameIn <= atLeast) return undefined
            // To read the thread's clock costs as much as a part of a small answer: not for each of many.
            if ((cameIn - atLeast) % requestsOfLook === 1) isBusy = threadMs() - lookedAt > stretchMs
            if (!isBusy) return undefined
            return because(refusedBusy, "The service has more work than it can do: try again in a second.")
          },
          count: (answer, tooLate) =>
            Effect.withFiber((fiber) => {
              const own: Waiting = { fiber, since: monotonicMillisOf(clock), isLate: false }
              waiting.add(own)
              if (timer === undefined) begin()
              return Effect.ensuring(
                // What was interrupted may have answered by saying so.
                Effect.map(answer, (found) => (own.isLate ? tooLate(patienceMs) : found)),
                Effect.sync(() => waiting.delete(own))
              )
            })
        })
      })
    )
}
