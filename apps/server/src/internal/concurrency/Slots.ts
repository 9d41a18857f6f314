/** A bounded number of slots, which are taken without waiting. */
export interface Slots {
  /** Takes a slot and returns its release, which works once; undefined if none is free. */
  readonly take: () => (() => void) | undefined
  /** The number of slots in use. */
  readonly taken: () => number
}

export const makeSlots = (max: number): Slots => {
  let taken = 0
  return {
    take: () => {
      if (taken >= max) return undefined
      taken += 1
      let isHeld = true
      return () => {
        if (isHeld) taken -= 1
        isHeld = false
      }
    },
    taken: () => taken
  }
}

/**
 * Slots of each key, up to `max`. Takes one and returns its release, which works once; undefined if none is free. A key without a
 * taken slot uses no memory.
 */
export const makeKeyedSlots = (): ((key: string, max: number) => (() => void) | undefined) => {
  const byKey = new Map<string, Slots>()
  return (key, max) => {
    const slots = byKey.get(key) ?? makeSlots(max)
    const release = slots.take()
    if (release === undefined) return undefined
    byKey.set(key, slots)
    return () => {
      release()
      if (slots.taken() === 0 && byKey.get(key) === slots) byKey.delete(key)
    }
  }
}
