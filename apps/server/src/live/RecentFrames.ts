/** The newest frames, with the cursors after which they can be resumed. */
export interface RecentFrames {
  readonly add: (cursor: string, frame: Uint8Array) => void
  /** The feed has advanced to this cursor without an event. */
  readonly mark: (cursor: string) => void
  readonly has: (cursor: string) => boolean
  /** The frames after the cursor; undefined if they are no longer in memory, or not yet. */
  readonly after: (cursor: string) => ReadonlyArray<Uint8Array> | undefined
}

interface Mark {
  readonly cursor: string
  /** How many frames precede it. */
  readonly before: number
}

/** Remembers the newest `max` cursors, temporarily up to twice as many, and the frames after the oldest of them. */
export const makeRecentFrames = (max: number): RecentFrames => {
  let frames: Array<Uint8Array> = []
  let marks: Array<Mark> = []
  /** The number of frames before the first of these. */
  let forgotten = 0
  const framesBefore = new Map<string, number>()

  const remember = (cursor: string) => {
    const before = forgotten + frames.length
    framesBefore.set(cursor, before)
    marks.push({ cursor, before })
    if (marks.length <= 2 * max) return
    for (const mark of marks.slice(0, -max)) {
      if (framesBefore.get(mark.cursor) === mark.before) framesBefore.delete(mark.cursor)
    }
    marks = marks.slice(-max)
    const dropped = (marks[0]?.before ?? before) - forgotten
    frames = frames.slice(dropped)
    forgotten += dropped
  }

  return {
    add: (cursor, frame) => {
      frames.push(frame)
      remember(cursor)
    },
    mark: (cursor) => {
      if (marks.at(-1)?.cursor !== cursor) remember(cursor)
    },
    has: (cursor) => framesBefore.has(cursor),
    after: (cursor) => {
      const before = framesBefore.get(cursor)
      return before === undefined ? undefined : frames.slice(before - forgotten)
    }
  }
}
