import { Clock, Effect, Queue } from "effect"
import { toMonotonicMillis } from "../../../internal/monotonic.ts"
import type { Arrival, TradesArrival } from "../ledger/Arrival.ts"
import { getSize } from "../ledger/Arrival.ts"
import type { TapeEvent } from "../Tape.ts"

/** The queue of trades to be written. Beyond its capacity trades are dropped, which is recorded as an event. */
export interface Intake {
  readonly trades: (arrival: Omit<TradesArrival, "afterLoss" | "kind">) => void
  readonly event: (event: TapeEvent) => void
  /** Waits until the queue is not empty. */
  readonly arrived: Effect.Effect<void>
  /** The oldest arrivals, with at most this many trades unless a single arrival has more. */
  readonly take: (trades: number) => ReadonlyArray<Arrival>
  readonly waiting: () => number
  /** Since when the oldest arrival waits, by `monotonicMillis`. */
  readonly waitingSince: () => number | undefined
  /** Whether the newest trades were dropped. */
  readonly hasLost: () => boolean
}

interface Waiting {
  readonly arrival: Arrival
  readonly since: number
}

interface Lost {
  readonly from: string
  readonly count: number
  readonly at: number
}

const idOf = (id: string): number | undefined => (/^\d{1,15}$/.test(id) ? Number(id) : undefined)

const droppedEvent = ({ at, count, from }: Lost, to: string): TapeEvent => ({
  at,
  kind: "dropped",
  from: idOf(from),
  to: idOf(to),
  detail: `${count} trades were given up because the store did not take them in time.`
})

/** `onLost` receives the number of dropped trades. */
export const makeIntake = Effect.fnUntraced(function* (
  capacity: number,
  onLost: (count: number) => void
): Effect.fn.Return<Intake> {
  const signal = yield* Queue.sliding<void>(1)
  const clock = yield* Clock.Clock
  let arrivals: Array<Waiting> = []
  let waiting = 0
  let lost: Lost | undefined
  let lostTo = ""

  const push = (arrival: Arrival) => {
    arrivals.push({ arrival, since: toMonotonicMillis(clock) })
    waiting += getSize(arrival)
    Queue.offerUnsafe(signal, undefined)
  }
  const lose = ({ receivedAt, trades }: Pick<TradesArrival, "receivedAt" | "trades">) => {
    lost = { from: lost?.from ?? trades[0]?.id ?? "", count: (lost?.count ?? 0) + trades.length, at: receivedAt }
    lostTo = trades.at(-1)?.id ?? lostTo
    onLost(trades.length)
  }

  return {
    trades: (arrival) => {
      if (waiting > 0 && waiting + arrival.trades.length > capacity) return lose(arrival)
      if (lost !== undefined) push({ kind: "event", event: droppedEvent(lost, lostTo) })
      push({ ...arrival, kind: "trades", afterLoss: lost !== undefined })
      lost = undefined
    },
    event: (event) => {
      if (arrivals.length < capacity) push({ kind: "event", event })
    },
    arrived: Queue.take(signal),
    take: (trades) => {
      let end = 0
      let size = 0
      for (const { arrival } of arrivals) {
        if (end > 0 && size + getSize(arrival) > trades) break
        size += getSize(arrival)
        end++
      }
      const taken = arrivals.slice(0, end).map(({ arrival }) => arrival)
      arrivals = arrivals.slice(end)
      waiting -= size
      if (arrivals.length > 0) Queue.offerUnsafe(signal, undefined)
      return taken
    },
    waiting: () => waiting,
    hasLost: () => lost !== undefined,
    waitingSince: () => arrivals[0]?.since
  }
})
