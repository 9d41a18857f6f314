/**
 * Cursors as text of at most 200 characters that needs no escaping in URLs and file names: the operation, and in base64url
 * a version, a hash of the request, the position, and a checksum.
 */
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import { InvalidCursor } from "../../problem/StreamError.ts"
import { type ByteReader, type ByteWriter, getLatin1, hash32, makeByteReader, makeByteWriter } from "./bytes.ts"

const version = 1

/** Bytes of the version, the request and the checksum. */
const overhead = 9

const getPrefix = (operation: string) => `${operation.replace(".", "-")}-`

/** The same text for equal requests. */
const toRequestText = (request: object): string =>
  JSON.stringify(
    Object.entries(request)
      .filter(([, value]) => value !== undefined)
      .sort(([left], [right]) => (left < right ? -1 : 1))
  )

const getChecksum = (operation: string, bytes: Iterable<number>) => hash32(`${operation} ${getLatin1(bytes)}`)

/** The cursor of a position of an operation's request. */
export const encodeCursor = (operation: string, request: object, write: (writer: ByteWriter) => void): string => {
  const writer = makeByteWriter()
  writer.fixed(version, 1)
  writer.fixed(hash32(toRequestText(request)), 4)
  write(writer)
  writer.fixed(getChecksum(operation, writer.bytes), 4)
  return getPrefix(operation) + Base64Url.encode(Uint8Array.from(writer.bytes))
}

/** The position that `read` finds in a cursor of the same request; undefined from it means that there is none. */
export const decodeCursor = <A>(
  operation: string,
  request: object,
  cursor: string,
  read: (reader: ByteReader) => A | undefined
): Effect.Effect<A, InvalidCursor> => {
  const invalid = (detail: string) => Effect.fail(new InvalidCursor({ operation, detail }))
  const damaged = invalid("it is damaged, or of another version of this package")
  if (!cursor.startsWith(getPrefix(operation))) {
    const [, group, name] = /^([a-z]+)-([A-Za-z]+)-/.exec(cursor) ?? []
    return group === undefined ? damaged : invalid(`it belongs to "${group}.${name}"`)
  }
  const text = cursor.slice(getPrefix(operation).length)
  const decoded = Base64Url.decode(text)
  if (Result.isFailure(decoded) || decoded.success.length < overhead) return damaged
  const bytes = decoded.success
  // The last character has bits that belong to no byte.
  if (Base64Url.encode(bytes) !== text) return damaged
  const checksum = makeByteReader(bytes.slice(-4)).fixed(4)
  if (checksum !== getChecksum(operation, bytes.slice(0, -4)) || bytes[0] !== version) return damaged
  if (makeByteReader(bytes.slice(1, 5)).fixed(4) !== hash32(toRequestText(request))) {
    return invalid(`it belongs to another request than ${toRequestText(request)}`)
  }
  const reader = makeByteReader(bytes.slice(5, -4))
  const position = read(reader)
  return position === undefined || !reader.isExact() ? damaged : Effect.succeed(position)
}
