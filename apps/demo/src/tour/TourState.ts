import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { useSyncExternalStore } from "react"
import { readStored, writeStored } from "../service/Storage.ts"
import { makeStore } from "../service/Store.ts"
import { steps } from "./Steps.ts"

const State = Schema.Struct({
  isOpen: Schema.Boolean,
  /** The index of the current step. */
  step: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: steps.length - 1 })),
  /** Whether its action was taken. */
  isBegun: Schema.Boolean,
  isDone: Schema.Boolean,
  mark: Schema.optional(Schema.Struct({ at: Schema.Int, reorgs: Schema.Int, block: Schema.Int }))
})

/** Where the tour is. */
export type TourState = typeof State.Type

/** The tour stays in its tab when the page is loaded again. */
const storageKey = "chaintape-tour"

const Stored = Schema.fromJsonString(State)
const decode = Schema.decodeUnknownOption(Stored)
const encode = Schema.encodeSync(Stored)

const start: TourState = { isOpen: false, step: 0, isBegun: false, isDone: false, mark: undefined }

const store = makeStore<TourState>(Option.getOrElse(decode(readStored("sessionStorage", storageKey)), () => start))

const change = (part: Partial<TourState>) => {
  store.set({ ...store.get(), ...part })
  writeStored("sessionStorage", storageKey, encode(store.get()))
}

/** Starts the tour, or continues it where it was left. */
export const openTour = (): void => change({ isOpen: true })

export const leaveTour = (): void => change({ isOpen: false })

export const beginStep = (mark: TourState["mark"]): void => change({ isBegun: true, mark: mark ?? store.get().mark })

/** The sandbox did not take the action of a step. A late refusal does not change the step that the reader is at by then. */
export const resetStep = (step: number): void => {
  if (store.get().step === step) change({ isBegun: false })
}

export const finishStep = (): void => change({ isDone: true })

/** After the last step, the tour is at its start again. */
export const nextStep = (): void => {
  const { step } = store.get()
  change(step + 1 < steps.length ? { step: step + 1, isBegun: false, isDone: false } : start)
}

export const useTour = (): TourState => useSyncExternalStore(store.subscribe, store.get)
