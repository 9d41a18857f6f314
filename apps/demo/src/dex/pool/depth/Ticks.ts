import type { Answer, PoolTick } from "@chaintape/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** A part of the ticks of a pool. */
export interface TickPage {
  readonly limit: number
  readonly skip: number
  readonly block?: number
}

/** Ticks of one response at most. */
export const pageSize = 1000

const maxPages = 20

/** Further ticks are not read. */
export const maxTicks = pageSize * maxPages

type Ticks = Answer<ReadonlyArray<PoolTick>>

/**
 * All ticks of a pool, as of the block of the first page. Liquidity is a sum from the lowest tick on: without the rest it
 * would be wrong.
 */
export const readTicks = <E, R>(readPage: (page: TickPage) => Effect.Effect<Ticks, E, R>): Effect.Effect<Ticks, E, R> =>
  Effect.gen(function* () {
    const first = yield* readPage({ limit: pageSize, skip: 0 })
    const block = Option.match(first.asOf, { onNone: () => ({}), onSome: ({ number }) => ({ block: Number(number) }) })
    const ticks = [...first.value]
    for (let page = 1; ticks.length === page * pageSize && page < maxPages; page += 1)
      ticks.push(...(yield* readPage({ limit: pageSize, skip: ticks.length, ...block })).value)
    return { ...first, value: ticks }
  })
