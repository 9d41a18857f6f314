import type { Slots } from "../../internal/Slots.ts"
import { makeSlots } from "../../internal/Slots.ts"

/** Limits the concurrent requests of each key on this instance. */
export const makeConcurrencySlots = () => {
  const ofKeys = new Map<string, Slots>()
  /** Takes a slot and returns its release; undefined if all `max` are taken. */
  return (key: string, max: number): (() => void) | undefined => {
    const slots = ofKeys.get(key) ?? makeSlots(max)
    const release = slots.take()
    if (release === undefined) return undefined
    ofKeys.set(key, slots)
    return () => {
      release()
      if (slots.taken() === 0) ofKeys.delete(key)
    }
  }
}
