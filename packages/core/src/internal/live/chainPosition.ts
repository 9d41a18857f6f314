/** Positions in a chain as cursors. */
import type * as Effect from "effect/Effect"
import type { InvalidCursor } from "../../problem/StreamError.ts"
import { type ByteReader, type ByteWriter } from "../pagination/bytes.ts"
import { decodeCursor, encodeCursor } from "../pagination/cursor.ts"
import { type ChainPosition, type Mark, getNewest } from "./marks.ts"

/** Marks before the newest one: those of the last few thousand blocks. */
const maxMarks = 11

/** Hexadecimal digits of the hash of each of them. */
const hashDigits = 8

export const isAbbreviated = ({ hash }: Mark): boolean => hash.length <= 2 + hashDigits

const toFlag = (isSet: boolean) => (isSet ? 1 : 0)

const writePosition = ({ integer, text, fixed }: ByteWriter, { log, marks }: ChainPosition): void => {
  const newest = getNewest(marks)
  integer(2 * newest.number + toFlag(newest.isPolled))
  text(newest.hash)
  integer(log === undefined ? 0 : log + 1)
  const older = marks.slice(0, -1).toReversed()
  const written = older.slice(0, maxMarks)
  integer(written.length)
  // Data that was polled as of an omitted mark may belong to any block before the next one.
  const isPolledBefore = older.slice(maxMarks).some(({ isPolled }) => isPolled)
  let { number } = newest
  for (const [at, mark] of written.entries()) {
    const isPolled = mark.isPolled || (isPolledBefore && at === maxMarks - 1)
    integer(2 * (number - mark.number) + toFlag(isPolled))
    fixed(Number.parseInt(mark.hash.slice(2, 2 + hashDigits).padEnd(hashDigits, "0"), 16), hashDigits / 2)
    number = mark.number
  }
}

const readPosition = ({ fixed, integer, text }: ByteReader): ChainPosition => {
  const first = integer()
  let number = Math.floor(first / 2)
  const newest: Mark = { number, hash: text(), isPolled: first % 2 === 1 }
  const log = integer()
  const older = Array.from({ length: integer() }, (): Mark => {
    const before = integer()
    number -= Math.floor(before / 2)
    return {
      number,
      hash: `0x${fixed(hashDigits / 2)
        .toString(16)
        .padStart(hashDigits, "0")}`,
      isPolled: before % 2 === 1
    }
  })
  const [oldest = newest, ...others] = [...older.reverse(), newest]
  return { marks: [oldest, ...others], log: log === 0 ? undefined : log - 1 }
}

/** The position in a cursor of the same request. */
export const decodePosition = (
  operation: string,
  request: object,
  cursor: string
): Effect.Effect<ChainPosition, InvalidCursor> => decodeCursor(operation, request, cursor, readPosition)

/** The cursor of the position. */
export const getCursor = (operation: string, request: object, position: ChainPosition): string =>
  encodeCursor(operation, request, (writer) => writePosition(writer, position))
