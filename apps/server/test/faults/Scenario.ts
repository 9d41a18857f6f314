import { assert } from "@effect/vitest"
import { Clock, Console, Effect } from "effect"
import type { LoadFigures } from "./proof/Load.ts"
import { World } from "./world/World.ts"

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`

/** The result of a fault, and how many failures of the service it excuses. */
export interface Inflicted {
  readonly what: string
  /** Undefined: requests may fail with 503 as long as the fault lasts. */
  readonly failuresAllowed?: number
  /** The errors of the exchange's clock meanwhile, in milliseconds. */
  readonly offsets?: ReadonlyArray<number>
}

const describeLoad = ({ failures, requests, slowestMs, statuses, unanswered }: LoadFigures) =>
  `${requests} requests (${Object.entries(statuses)
    .map(([status, count]) => `${status}: ${count}`)
    .join(", ")}), ${failures.length} failures ` +
  `(${failures.filter(({ isNowhere }) => !isNowhere).length} of the service), ${unanswered} unanswered, slowest ${seconds(slowestMs)}`

const examples = ({ failures }: Pick<LoadFigures, "failures">) =>
  [...new Map(failures.map((one) => [`${one.status} ${one.path}`, one])).values()]
    .slice(0, 5)
    .map(({ body, path, status }) => `\n  ${status} ${path} ${body}`)
    .join("")

/**
 * Injects a fault under load. Without any help, tapes and index must afterwards equal journal and chain, and everything
 * acknowledged must be true. Prints one line of figures.
 */
export const endure = Effect.fnUntraced(function* <E>(name: string, inflict: Effect.Effect<Inflicted, E, World>) {
  const { allUp, balancer, differences, load, subscribers, witness } = yield* World
  yield* load.take
  const before = { ...balancer.counts }
  const acknowledged = witness.prices.size
  const streamed = { ...subscribers }
  const { failuresAllowed, offsets = [], what } = yield* inflict
  const ended = yield* Clock.currentTimeMillis
  yield* allUp
  const found = yield* differences([0, ...offsets])
  const recovered = (yield* Clock.currentTimeMillis) - ended
  const figures = yield* load.take
  const { again, broken, nowhere } = balancer.counts
  const balanced = `${again - before.again} sent again, ${broken - before.broken} broken off, ${nowhere - before.nowhere} without an instance`
  yield* Console.log(
    `${name}: ${what}; ${describeLoad(figures)}; ${balanced}; ${witness.prices.size - acknowledged} trades acknowledged; ` +
      `${subscribers.trades - streamed.trades} trades streamed, ${subscribers.resumes - streamed.resumes} streams resumed, ` +
      `${subscribers.gaps - streamed.gaps} gaps told; ` +
      `equal to journal and chain after ${seconds(recovered)}${found.length > 0 ? `: ${found.length} DIFFERENCES` : ""}`
  )
  assert.deepStrictEqual(found, [])
  // Unexpected errors of the service.
  const unexpected = figures.failures.filter(({ status }) => status === 500)
  assert.strictEqual(unexpected.length, 0, `unexpected failures${examples({ failures: unexpected })}`)
  assert.isAbove(figures.statuses[200] ?? 0, 0, `nothing was answered${examples(figures)}`)
  if (failuresAllowed !== undefined) {
    assert.isAtMost(
      figures.failures.length + figures.unanswered,
      failuresAllowed,
      `more failures than requests in flight${examples(figures)}`
    )
  }
})
