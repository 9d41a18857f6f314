import type { Burn, Mint, Swap } from "@chaintape/core"
import * as DateTime from "effect/DateTime"

/** An event of a pool. */
export type Event = { readonly kind: "swap" | "mint" | "burn" } & (Swap | Mint | Burn)

/** The kinds of events that are shown. */
export const kinds = ["all", "swaps", "mints", "burns"] as const

export type Kind = (typeof kinds)[number]

/** The events of some arrays, newest first, without those of other kinds. */
export const toEvents = (
  swaps: ReadonlyArray<Swap>,
  mints: ReadonlyArray<Mint>,
  burns: ReadonlyArray<Burn>,
  shown: Kind
): ReadonlyArray<Event> => {
  const all = [
    ...swaps.map((swap) => ({ kind: "swap" as const, ...swap })),
    ...mints.map((mint) => ({ kind: "mint" as const, ...mint })),
    ...burns.map((burn) => ({ kind: "burn" as const, ...burn }))
  ]
  return all
    .filter(({ kind }) => shown === "all" || shown === `${kind}s`)
    .toSorted(
      (one, other) =>
        DateTime.toEpochMillis(other.timestamp) - DateTime.toEpochMillis(one.timestamp) ||
        Number(other.logIndex) - Number(one.logIndex)
    )
}
