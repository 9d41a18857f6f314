const wordLength = 64
const twoTo255 = 1n << 255n
const twoTo256 = 1n << 256n
/** 2^23 and 2^24: the bounds of an int24. */
const signBit24 = 0x80_00_00
const span24 = 0x1_00_00_00

/** A 32-byte word of a log's data. */
export const decodeUint256 = (data: string, word: number): bigint => {
  const start = 2 + word * wordLength
  return BigInt(`0x${data.slice(start, start + wordLength)}`)
}

export const decodeInt256 = (data: string, word: number): bigint => {
  const value = decodeUint256(data, word)
  return value >= twoTo255 ? value - twoTo256 : value
}

/** An int24 is sign-extended to a whole word; its value is in the last six digits. */
const decodeInt24 = (digits: string): number => {
  const value = Number.parseInt(digits, 16)
  return value >= signBit24 ? value - span24 : value
}
export const decodeTickTopic = (topic: string | undefined): number => decodeInt24((topic ?? "").slice(60))
export const decodeTick = (data: string, word: number): number => {
  const end = 2 + (word + 1) * wordLength
  return decodeInt24(data.slice(end - 6, end))
}

/** The number in the last digits of a word. */
export const decodeSmallUint = (data: string, word: number, digits: number): number => {
  const end = 2 + (word + 1) * wordLength
  return Number.parseInt(data.slice(end - digits, end), 16)
}

export const decodeAddressTopic = (topic: string | undefined): string => `0x${(topic ?? "").slice(26)}`
export const decodeAddress = (data: string, word: number): string => {
  const end = 2 + (word + 1) * wordLength
  return `0x${data.slice(end - 40, end)}`
}

/** Whether a log has as many topics, and as many words of data. */
export const hasShape = (
  log: { readonly topics: ReadonlyArray<string>; readonly data: string },
  topicCount: number,
  wordCount: number
): boolean => log.topics.length === topicCount && log.data.length === 2 + wordCount * wordLength
