import { Cause, Effect, Fiber, Metric, Option, Schedule, Scope } from "effect"
import type { Exit } from "effect"
import type { SqlClient } from "effect/sql"
import { Lease, take } from "./Lease.ts"
import type { LeaseLostError } from "./Lease.ts"
import type { Work } from "./Ownership.ts"
import { pauseAfterLossMs } from "./Timing.ts"

/** Work of this instance. */
export interface Holding {
  readonly lease: Lease["Service"]
  readonly status: Effect.Effect<unknown>
  readonly fiber: Fiber.Fiber<unknown, unknown>
}

/** All work of this instance. */
export interface Holdings {
  /**
   * Does the work from now on, and again after its lease was lost. When interrupted, it continues the work until
   * another instance takes the lease, because no other instance does it.
   */
  readonly hold: <R>(work: Work<R>) => Effect.Effect<never, never, R>
  readonly all: () => ReadonlyArray<Holding>
  /** Ends the work of a lease that another instance has taken. */
  readonly lose: (lease: Lease["Service"]) => Effect.Effect<void>
}

/** The delay before a store that does not answer is tried again. */
const leaseRetries = Schedule.min([Schedule.exponential("100 millis"), Schedule.spaced("1 second")])

const owned = Metric.gauge("chaintape_owned", { description: "Pieces of work that this instance does" })
const lost = Metric.counter("chaintape_leases_lost_total", {
  description: "Pieces of work that another instance has taken from this one, also in handovers",
  incremental: true
})

interface HoldingsState {
  readonly held: Map<string, Holding>
  readonly assigned: Set<string>
  /** Work that was taken while it was assigned to this instance, which may be about to learn that it no longer is. */
  readonly taken: Set<string>
  isEnding: boolean
}

const logHandover = (name: string) =>
  Effect.logInfo(`"${name}" ends on this instance: it was handed over to another one.`)

const handleEnd = Effect.fnUntraced(function* (
  state: HoldingsState,
  name: string,
  exit: Exit.Exit<void, LeaseLostError>
) {
  state.held.delete(name)
  yield* Metric.update(owned, state.held.size)
  if (state.isEnding || exit._tag === "Success") return
  // An interruption by `lose` may end a transaction that cannot be rolled back, which is a defect.
  if (Option.isNone(Cause.findErrorOption(exit.cause)) && !Cause.hasInterrupts(exit.cause)) {
    return yield* Effect.logError(`The work "${name}" has failed, and restarts`, exit.cause)
  }
  yield* Metric.update(lost, 1)
  if (!state.assigned.has(name)) return yield* logHandover(name)
  state.taken.add(name)
})

/** By its end every instance acts on the same list, so that work that is still assigned here was not handed over. */
const pause = Effect.fnUntraced(function* ({ taken }: HoldingsState, name: string) {
  yield* Effect.sleep(pauseAfterLossMs)
  if (taken.delete(name)) {
    yield* Effect.logWarning(`"${name}" ends on this instance: another one has taken it over.`)
  }
})

const unassign = ({ assigned, isEnding, taken }: HoldingsState, name: string) => {
  assigned.delete(name)
  return taken.delete(name) && !isEnding ? logHandover(name) : Effect.void
}

/** `owner` is this instance. The work ends with the scope. `maxIdleMs` is that of its leases. */
export const makeHoldings = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  owner: string,
  maxIdleMs: number
): Effect.fn.Return<Holdings, never, Scope.Scope> {
  const working = yield* Scope.fork(yield* Effect.scope, "parallel")
  const state: HoldingsState = { held: new Map(), assigned: new Set(), taken: new Set(), isEnding: false }
  yield* Effect.addFinalizer(() => Effect.sync(() => (state.isEnding = true)))

  const takeLease = (name: string) =>
    take(sql, name, owner, maxIdleMs).pipe(
      Effect.tapError((error) => Effect.logWarning(`The lease of "${name}" cannot be taken: ${error.message}`)),
      Effect.retry(leaseRetries),
      Effect.orDie
    )

  const begin = Effect.fnUntraced(function* <R>({ begin, name }: Work<R>) {
    const lease = yield* takeLease(name)
    const { run, status } = yield* begin
    yield* Effect.logInfo(`This instance does "${name}" from now on, in epoch ${lease.epoch}.`)
    // The fiber registers itself: it may end before the one that forks it runs again.
    return yield* Effect.withFiber((fiber) => {
      state.held.set(name, { lease, status, fiber })
      return Effect.andThen(Metric.update(owned, state.held.size), run)
    }).pipe(
      Effect.provideService(Lease, lease),
      Effect.andThen(Effect.never),
      Effect.onExit((exit) => handleEnd(state, name, exit)),
      Effect.forkIn(working)
    )
  })

  return {
    all: () => [...state.held.values()],
    lose: ({ epoch, name }) =>
      Effect.suspend(() => {
        const holding = state.held.get(name)
        return holding?.lease.epoch === epoch ? Fiber.interrupt(holding.fiber) : Effect.void
      }),
    hold: (work) =>
      Effect.gen(function* () {
        state.assigned.add(work.name)
        yield* Fiber.await(state.held.get(work.name)?.fiber ?? (yield* begin(work)))
      }).pipe(
        Effect.catchCause((cause) =>
          Effect.logError(`The work "${work.name}" cannot begin, and is tried again`, cause)
        ),
        Effect.andThen(pause(state, work.name)),
        Effect.forever,
        Effect.onInterrupt(() => unassign(state, work.name))
      )
  }
})
