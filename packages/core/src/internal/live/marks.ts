/** Blocks up to which a reader has everything, so that it can find how far back a reorg goes. */

export interface Mark {
  readonly number: number
  /** Of a mark in a cursor, other than the newest one, only the beginning. Empty if a subgraph did not state it. */
  readonly hash: string
  /** Whether data was polled as of this block: it may belong to any block since the previous mark. */
  readonly isPolled: boolean
}

/** Never empty, the newest last. */
export type Marks = readonly [Mark, ...ReadonlyArray<Mark>]

export interface ChainPosition {
  readonly marks: Marks
  /** The last log read of the newest block, if some are left. */
  readonly log: number | undefined
}

/** Any block 0: nothing is known to be unchanged. */
export const atStart: Mark = { number: 0, hash: "0x", isPolled: false }

/** Whether it is the block with this hash, or one of both hashes is unknown. */
export const isBlock = (mark: Mark, hash: string): boolean => hash === "" || hash.startsWith(mark.hash)

export const getNewest = ([first, ...others]: Marks): Mark => others.at(-1) ?? first

export const selectMarksBelow = (marks: ReadonlyArray<Mark>, number: number): ReadonlyArray<Mark> =>
  marks.filter((mark) => mark.number < number)

/** The remaining marks are farther apart the older they are: some twenty for a million blocks. */
const thinMarks = (marks: ReadonlyArray<Mark>, newest: Mark): ReadonlyArray<Mark> => {
  const kept: Array<Mark> = []
  let next = newest
  for (const mark of marks.toReversed()) {
    if (next.number - mark.number >= (newest.number - mark.number) / 2) kept.push(mark)
    // Data polled as of the removed mark may belong to any block since the previous one.
    else if (mark.isPolled) kept.splice(-1, 1, { ...next, isPolled: true })
    next = kept.at(-1) ?? newest
  }
  return kept.reverse()
}

/** The marks of a reader that has everything up to this block. */
export const addMark = (marks: ReadonlyArray<Mark>, mark: Mark): Marks => {
  const [first, ...others] = thinMarks(selectMarksBelow(marks, mark.number), mark)
  return first === undefined ? [mark] : [first, ...others, mark]
}

/** The service's cursor of the position. */
export const toPositionText = ({ log, marks }: ChainPosition): string => {
  const { hash, number } = getNewest(marks)
  if (hash === atStart.hash) return "-1-0x0"
  return `${number}-${hash}${log === undefined ? "" : `-${log}`}`
}

/** The position in a cursor of the service. */
export const parsePosition = (
  id: string
): { readonly number: number; readonly hash: string; readonly log: number | undefined } | undefined => {
  const [, number, hash, log] = /^(\d{1,15})-(0x[0-9a-f]+)(?:-(\d{1,15}))?$/.exec(id) ?? []
  if (number === undefined || hash === undefined) return undefined
  return { number: Number(number), hash, log: log === undefined ? undefined : Number(log) }
}
