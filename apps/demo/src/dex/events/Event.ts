import type { Burn, Mint, Swap } from "@chaintape/core"
import * as DateTime from "effect/DateTime"

/** An event of a pool. */
export type Event = { readonly kind: "swap" | "mint" | "burn" } & (Swap | Mint | Burn)

/** The kinds of events that are shown. */
export const kinds = ["all", "swaps", "mints", "burns"] as const

export type Kind = (typeof kinds)[number]

const toMillis = ({ timestamp }: Event) => DateTime.toEpochMillis(timestamp)

/** Whether an event is known to be newer: it does not name its block, of which one second may have several. */
const isNewer = (one: Event, other: Event): boolean =>
  toMillis(one) === toMillis(other) ? Number(one.logIndex) > Number(other.logIndex) : toMillis(one) > toMillis(other)

/** Merges two lists, newest first. Each of them stays in its order, which is that of the blocks. */
const merge = (one: ReadonlyArray<Event>, other: ReadonlyArray<Event>): ReadonlyArray<Event> => {
  const rest = [...other]
  const merged = one.flatMap((event) => {
    const until = rest.findIndex((next) => !isNewer(next, event))
    return [...rest.splice(0, until === -1 ? rest.length : until), event]
  })
  return [...merged, ...rest]
}

type Lists<A> = ReadonlyArray<ReadonlyArray<A>>

/** The events of lists that are newest first, newest first, without those of other kinds. */
export const toEvents = (swaps: Lists<Swap>, mints: Lists<Mint>, burns: Lists<Burn>, shown: Kind) =>
  [
    ...swaps.map((list) => list.map((swap): Event => ({ kind: "swap", ...swap }))),
    ...mints.map((list) => list.map((mint): Event => ({ kind: "mint", ...mint }))),
    ...burns.map((list) => list.map((burn): Event => ({ kind: "burn", ...burn })))
  ]
    .map((list) => list.filter(({ kind }) => shown === "all" || shown === `${kind}s`))
    .reduce(merge, [])
