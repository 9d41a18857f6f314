/** A block by its number and hash, and how much of it was emitted: up to a log, or all of it. */
export interface ChainPosition {
  readonly number: number
  readonly hash: string
  readonly logIndex: number | undefined
}

export const chainCursor = ({ hash, logIndex, number }: ChainPosition): string =>
  `${number}-${hash}${logIndex === undefined ? "" : `-${logIndex}`}`

export const decodeChainCursor = (text: string): ChainPosition | undefined => {
  const [, digits, hash, log] = /^(-1|\d{1,10})-(0x[0-9a-f]{1,64})(?:-(\d{1,9}))?$/.exec(text) ?? []
  if (digits === undefined || hash === undefined) return undefined
  const number = Number(digits)
  // The store holds block numbers of 32 bits.
  if (number > 2_147_483_647) return undefined
  return { number, hash, logIndex: log === undefined ? undefined : Number(log) }
}
