import type { Answer, Market } from "@chaintape/core"
import * as Effect from "effect/Effect"
import { useSyncExternalStore } from "react"
import { countRequests } from "../service/Budget.ts"
import type { Packages } from "../service/Session.tsx"
import type { ShownRequest } from "../service/ShownRequests.ts"
import { makeStore } from "../service/Store.ts"

/** Names of figures, with the unit where there is one, and every digit of them. */
export type Values = ReadonlyArray<readonly [name: string, value: string]>

/** A market of an exchange, as requests name it. */
export interface Listing {
  readonly exchange: string
  readonly market: Market
}

/** The response to the request of a claim. */
export interface ClaimEvidence {
  readonly answer: Answer<unknown>
  /** The figures of the response; undefined if it does not have them. */
  readonly values: Values | undefined
}

/** Figures that the page shows, and the request that returns them with their proof. */
export interface Claim {
  readonly title: string
  /** The pool, the market or the block that has these figures. */
  readonly subject: string
  readonly values: Values
  readonly request: ShownRequest
  readonly read: Effect.Effect<ClaimEvidence, unknown, Packages>
  /** Set for figures of a market: its recording proves its trades. */
  readonly listing?: Listing
  /** Set for figures of a block. */
  readonly blockchain?: string
}

/** A claim, except that `find` takes the figures from the response of `read`. */
export const toClaim = <A, E>({
  find,
  read,
  ...claim
}: Omit<Claim, "read"> & {
  readonly read: Effect.Effect<Answer<A>, E, Packages>
  readonly find: (value: A) => Values | undefined
}): Claim => ({
  ...claim,
  read: Effect.map(countRequests(read), (answer): ClaimEvidence => ({ answer, values: find(answer.value) }))
})

const isDecimal = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text)

/** Without the zeros that do not change its value. */
const toCanonical = (decimal: string): string => {
  const [whole = "", fraction = ""] = decimal.split(".")
  const rest = fraction.replace(/0+$/, "")
  return rest === "" ? whole : `${whole}.${rest}`
}

/** The same text, or the same decimal: digit by digit, because a double holds 17 of them. */
const isEqual = (one: string, other: string | undefined): boolean =>
  one === other ||
  (other !== undefined && isDecimal(one) && isDecimal(other) && toCanonical(one) === toCanonical(other))

/** Whether the response has the same figures. */
export const isConfirmed = ({ values }: Claim, evidence: ClaimEvidence): boolean => {
  const found = new Map(evidence.values)
  return values.every(([name, value]) => isEqual(value, found.get(name)))
}

const store = makeStore<Claim | undefined>(undefined)

export const openProof = (claim: Claim): void => store.set(claim)

export const closeProof = (): void => store.set(undefined)

/** The claim whose proof is open. */
export const useOpenProof = (): Claim | undefined => useSyncExternalStore(store.subscribe, store.get)
