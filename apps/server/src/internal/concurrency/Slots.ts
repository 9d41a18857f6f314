/** A bounded number of slots, which are taken without waiting. */
export interface Slots {
  /** Takes a slot and returns its release, which works once; undefined if none is free. */
  readonly take: () => (() => void) | undefined
  /** The number of slots in use. */
  readonly taken: () => number
}

const once = (release: () => void) => {
  let isHeld = true
  return () => {
    if (isHeld) release()
    isHeld = false
  }
}

export const makeSlots = (max: number): Slots => {
  let taken = 0
  return {
    take: () => {
      if (taken >= max) return undefined
      taken += 1
      return once(() => (taken -= 1))
    },
    taken: () => taken
  }
}

/**
 * Slots of each key, up to the `max` of the call. Takes one and returns its release, which works once; undefined if none is free.
 * A key without a taken slot uses no memory.
 */
export const makeKeyedSlots = (): ((key: string, max: number) => (() => void) | undefined) => {
  const taken = new Map<string, number>()
  const add = (key: string, change: number) => {
    const count = (taken.get(key) ?? 0) + change
    if (count === 0) taken.delete(key)
    else taken.set(key, count)
  }
  return (key, max) => {
    if ((taken.get(key) ?? 0) >= max) return undefined
    add(key, 1)
    return once(() => add(key, -1))
  }
}
