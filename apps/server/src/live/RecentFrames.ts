/** The newest frames, with the cursors after which they can be resumed. */
export interface RecentFrames {
  readonly add: (cursor: string, frame: Uint8Array) => void
  /** The feed has advanced to this cursor without an event. */
  readonly mark: (cursor: string) => void
  readonly has: (cursor: string) => boolean
  /** The frames after the cursor; undefined if they are no longer in memory, or not yet. */
  readonly behind: (cursor: string) => ReadonlyArray<Uint8Array> | undefined
}

interface Place {
  readonly cursor: string
  /** How many frames precede it. */
  readonly told: number
}

/** Holds `most` frames, and temporarily up to twice as many. */
export const makeRecentFrames = (most: number): RecentFrames => {
  let frames: Array<Uint8Array> = []
  let places: Array<Place> = []
  /** The number of frames before the first of these. */
  let forgotten = 0
  const toldAt = new Map<string, number>()

  const remember = (cursor: string) => {
    const told = forgotten + frames.length
    toldAt.set(cursor, told)
    places.push({ cursor, told })
    if (places.length <= 2 * most) return
    for (const place of places.slice(0, -most)) {
      if (toldAt.get(place.cursor) === place.told) toldAt.delete(place.cursor)
    }
    places = places.slice(-most)
    const kept = (places[0]?.told ?? told) - forgotten
    frames = frames.slice(kept)
    forgotten += kept
  }

  return {
    add: (cursor, frame) => {
      frames.push(frame)
      remember(cursor)
    },
    mark: (cursor) => {
      if (places.at(-1)?.cursor !== cursor) remember(cursor)
    },
    has: (cursor) => toldAt.has(cursor),
    behind: (cursor) => {
      const told = toldAt.get(cursor)
      return told === undefined ? undefined : frames.slice(told - forgotten)
    }
  }
}
