import type { JournalTrade } from "@chaintape/sandbox"
import { Effect, Schema } from "effect"
import { RecordingStatus } from "../../../src/status/RecordingStatuses.ts"
import { call } from "../../HttpCall.ts"

const Answer = Schema.fromJsonString(
  Schema.Struct({ trades: Schema.Array(Schema.Struct({ id: Schema.String, price: Schema.Finite })) })
)
const decodeAnswer = Schema.decodeUnknownSync(Answer)
const Statuses = Schema.fromJsonString(Schema.Struct({ recordings: Schema.Array(RecordingStatus) }))
const decodeStatuses = Schema.decodeUnknownSync(Statuses)

/** Ids of trades that a response omits between its first and its last, both inclusive. */
export const toHoles = (ids: ReadonlyArray<number>): ReadonlyArray<readonly [from: number, to: number]> =>
  ids.flatMap((id, at) => {
    const before = ids[at - 1]
    return before === undefined || id <= before + 1 ? [] : [[before + 1, id - 1] as const]
  })

export interface Seen {
  /** Responses that claim to be complete, and those that claim not to be. */
  complete: number
  incomplete: number
  /** Responses with a gap that reported it. */
  withHoles: number
  /** Trades served as proven: they are acknowledged, and must stay. */
  readonly prices: Map<number, number>
  /** False claims. */
  readonly wrong: Array<string>
}

/** Reads one market repeatedly, and compares each response with earlier ones. */
export const startWitness = Effect.fnUntraced(function* (origin: string, key: string, product: string) {
  const seen: Seen = { complete: 0, incomplete: 0, withHoles: 0, prices: new Map(), wrong: [] }
  let before: ReadonlyArray<readonly [number, number]> = []
  const path = `/v2/cex/sandbox/${product}/trades?limit=500`

  /** Whether the status of any instance shows a gap. */
  const isShown = (from: number, to: number) =>
    Effect.map(call(origin, { path: "/status" }), ({ body, status }) =>
      status === 200
        ? decodeStatuses(body).recordings.some(
            ({ gapCount, gaps, market }) =>
              market.replace("/", "-") === product &&
              (gapCount > gaps.length || gaps.some((gap) => gap.from <= from && to <= gap.to))
          )
        : undefined
    )

  const look = Effect.gen(function* () {
    const { body, headers, status } = yield* call(origin, { path, headers: { "api-key": key }, patienceMs: 90_000 })
    if (status !== 200) {
      before = []
      return
    }
    const { trades } = decodeAnswer(body)
    const ids = trades.map(({ id }) => Number(id)).toSorted((one, other) => one - other)
    const twice = ids.find((id, at) => id === ids[at - 1])
    if (twice !== undefined) seen.wrong.push(`${twice} was answered twice`)
    const holes = toHoles(ids)
    const coverage = String(headers["chaintape-coverage"] ?? "")
    if (coverage.includes("complete=?1")) {
      seen.complete += 1
      if (holes.length > 0) seen.wrong.push(`${coverage} without ${JSON.stringify(holes)}`)
      for (const { id, price } of trades) {
        const told = seen.prices.get(Number(id)) ?? price
        if (told !== price) seen.wrong.push(`trade ${id} was ${told} and is ${price}`)
        seen.prices.set(Number(id), price)
      }
    } else seen.incomplete += 1
    if (holes.length > 0) seen.withHoles += 1
    // What is missing now and was missing in the previous response must be reported in between.
    for (const [from, to] of holes) {
      const lasted = before.some((hole) => hole[0] <= from && to <= hole[1])
      if (lasted && (yield* isShown(from, to)) === false) seen.wrong.push(`${from} to ${to} was hidden`)
    }
    before = holes
  })
  yield* Effect.ignore(look).pipe(Effect.andThen(Effect.sleep("500 millis")), Effect.forever, Effect.forkScoped)
  return seen
})

/** Acknowledged trades that never happened. */
export const broken = ({ prices, wrong }: Seen, journal: ReadonlyArray<JournalTrade>): ReadonlyArray<string> => {
  const truth = new Map(journal.map(({ price, trade_id }) => [trade_id, Number(price)]))
  const last = journal.at(-1)?.trade_id ?? 0
  return [
    ...wrong,
    ...[...prices].flatMap(([id, price]) =>
      id > last || truth.get(id) === price ? [] : [`trade ${id} was answered as ${price} and is ${truth.get(id)}`]
    )
  ]
}
