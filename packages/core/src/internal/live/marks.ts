/** Blocks up to which a reader has everything, so that it finds how far back a reorg goes. */

export interface Mark {
  readonly number: number
  readonly hash: string
  /** Whether a page was asked for as of this block: what that told may be of any block since the mark before. */
  readonly isAsked: boolean
}

/** Never empty, the newest last. */
export type Marks = readonly [Mark, ...ReadonlyArray<Mark>]

export interface ChainPlace {
  readonly marks: Marks
  /** The last log that is read of the newest block, where that is not all of it. */
  readonly log: number | undefined
}

export const newestOf = ([first, ...others]: Marks): Mark => others.at(-1) ?? first

export const marksBelow = (marks: ReadonlyArray<Mark>, number: number): ReadonlyArray<Mark> =>
  marks.filter((mark) => mark.number < number)

/** The marks that are left the farther apart the older they are: of a million blocks some twenty. */
const thinned = (marks: ReadonlyArray<Mark>, newest: Mark): ReadonlyArray<Mark> => {
  const kept: Array<Mark> = []
  let next = newest
  for (const mark of marks.toReversed()) {
    if (next.number - mark.number >= (newest.number - mark.number) / 2) kept.push(mark)
    // What was asked for as of the one that goes may be of any block since the one before it.
    else if (mark.isAsked) kept.splice(-1, 1, { ...next, isAsked: true })
    next = kept.at(-1) ?? newest
  }
  return kept.reverse()
}

/** With everything up to this block. */
export const marked = (marks: ReadonlyArray<Mark>, mark: Mark): Marks => {
  const [first, ...others] = thinned(marksBelow(marks, mark.number), mark)
  return first === undefined ? [mark] : [first, ...others, mark]
}

/** How the service names the place. */
export const placeText = ({ log, marks }: ChainPlace): string => {
  const { hash, number } = newestOf(marks)
  return `${number}-${hash}${log === undefined ? "" : `-${log}`}`
}

/** The place that an id of the service names. */
export const readPlace = (
  id: string
): { readonly number: number; readonly hash: string; readonly log: number | undefined } | undefined => {
  const [, number, hash, log] = /^(\d{1,15})-(0x[0-9a-f]+)(?:-(\d{1,15}))?$/.exec(id) ?? []
  if (number === undefined || hash === undefined) return undefined
  return { number: Number(number), hash, log: log === undefined ? undefined : Number(log) }
}
