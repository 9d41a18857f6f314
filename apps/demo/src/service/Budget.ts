import type { Answer } from "@chaintape/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { useSyncExternalStore } from "react"
import { makeStore } from "./Store.ts"

/** The remaining budget of the key, from the newest response. */
const store = makeStore<number | undefined>(undefined)

/** Stores the budget of a response. */
export const countRequests = <A, E, R>(read: Effect.Effect<Answer<A>, E, R>): Effect.Effect<Answer<A>, E, R> =>
  Effect.tap(read, ({ remaining }) => Effect.sync(() => store.set(Option.getOrElse(remaining, () => store.get()))))

/** Forgets the budget, which is not that of another key. */
export const forgetBudget = (): void => store.set(undefined)

export const useBudget = (): number | undefined => useSyncExternalStore(store.subscribe, store.get)
