import { Clock, Context, Effect, Layer, Option, Schedule, Semaphore } from "effect"
import { dayMs, toDate, toDayStart } from "../../internal/day.ts"
import { makeFirstFailureWarning } from "../../internal/log/firstFailure.ts"
import type { StoreError } from "../../internal/StoreError.ts"
import type { OperationUse, UsageAddition, UsageRow } from "./UsageStore.ts"
import { UsageStore } from "./UsageStore.ts"

/** One request of a key. */
export interface Use {
  /** `group.name`, of the operations of the service: their number bounds the rows. */
  readonly operation: string
  readonly cost: number
  readonly refused: boolean
}

const writeInterval = "5 seconds"

type Counts = Map<string, UsageAddition>

const add = (counts: Counts, one: UsageAddition): void => {
  const name = `${one.day} ${one.key} ${one.operation}`
  const before = counts.get(name)
  counts.set(
    name,
    before === undefined
      ? one
      : {
          key: one.key,
          day: one.day,
          operation: one.operation,
          requests: before.requests + one.requests,
          refused: before.refused + one.refused,
          cost: before.cost + one.cost,
          at: Math.max(before.at, one.at)
        }
  )
}

const sumOperations = (uses: ReadonlyArray<OperationUse>): ReadonlyArray<OperationUse> => {
  const sums = new Map<string, OperationUse>()
  for (const { operation, refused, requests } of uses) {
    const before = sums.get(operation)
    sums.set(operation, {
      operation,
      requests: (before?.requests ?? 0) + requests,
      refused: (before?.refused ?? 0) + refused
    })
  }
  return [...sums.values()].toSorted(
    (one, other) => other.requests - one.requests || (one.operation < other.operation ? -1 : 1)
  )
}

/** The UTC day of a time (Unix ms), formatted once per day. */
const makeDays = () => {
  let known = { start: Number.NaN, text: "" }
  return (at: number): string => {
    if (!(at >= known.start && at < known.start + dayMs)) {
      const start = toDayStart(at)
      known = { start, text: toDate(start) }
    }
    return known.text
  }
}

/** The usage of keys. It is counted in memory, and written every few seconds and at the end. */
export class Usage extends Context.Service<
  Usage,
  {
    readonly record: (key: string, use: Use) => void
    /** Since a UTC day, including what is still in memory. A key may have several rows of one day. */
    readonly since: (keys: ReadonlyArray<string>, day: string) => Effect.Effect<ReadonlyArray<UsageRow>, StoreError>
    /** By operation since a UTC day, including what is still in memory, most requests first. */
    readonly operationsSince: (
      keys: ReadonlyArray<string>,
      day: string
    ) => Effect.Effect<ReadonlyArray<OperationUse>, StoreError>
    /** The newest use that is not stored yet, in Unix milliseconds. */
    readonly lastUse: (key: string) => Effect.Effect<Option.Option<number>>
  }
>()("@chaintape/server/auth/usage/Usage") {
  static readonly layer = Layer.effect(
    Usage,
    Effect.gen(function* () {
      const store = yield* UsageStore
      const clock = yield* Clock.Clock
      // A read during a write would count the written part twice or not at all.
      const whole = yield* Semaphore.make(1)
      const getDay = makeDays()
      let counts: Counts = new Map()
      const warnOfFirst = makeFirstFailureWarning("The use of keys cannot be written; it is counted on")
      const inMemory = (keys: ReadonlyArray<string>, day: string) =>
        [...counts.values()].filter((one) => one.day >= day && keys.includes(one.key))
      const write = Effect.suspend(() => {
        const written = [...counts.values()]
        counts = new Map()
        if (written.length === 0) return Effect.void
        return Effect.onError(store.add(written), () =>
          Effect.sync(() => {
            for (const one of written) add(counts, one)
          })
        ).pipe(warnOfFirst)
      }).pipe(whole.withPermit, Effect.uninterruptible)
      yield* Effect.addFinalizer(() => write)
      yield* Effect.forkScoped(Effect.repeat(Effect.delay(write, writeInterval), Schedule.forever))
      return Usage.of({
        record: (key, { cost, operation, refused }) => {
          const at = clock.currentTimeMillisUnsafe()
          add(counts, { key, day: getDay(at), operation, requests: 1, refused: refused ? 1 : 0, cost, at })
        },
        since: (keys, day) =>
          store.since(keys, day).pipe(
            Effect.map((stored) => [...stored, ...inMemory(keys, day)]),
            whole.withPermit
          ),
        operationsSince: (keys, day) =>
          store.operationsSince(keys, day).pipe(
            Effect.map((stored) => sumOperations([...stored, ...inMemory(keys, day)])),
            whole.withPermit
          ),
        lastUse: (key) =>
          Effect.sync(() =>
            Option.fromUndefinedOr(
              [...counts.values()]
                .filter((one) => one.key === key)
                .reduce<number | undefined>((latest, { at }) => Math.max(latest ?? 0, at), undefined)
            )
          )
      })
    })
  )
}
