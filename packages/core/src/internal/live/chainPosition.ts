/** Positions in a chain as cursors. */
import * as Effect from "effect/Effect"
import { InvalidCursor } from "../../stream/StreamError.ts"
import { decodeChainCursor, encodeChainCursor } from "../pagination/cursor.ts"
import { getText } from "../pagination/listReading.ts"
import type { ChainPosition, Mark } from "./marks.ts"

/** The position in a cursor of the same request. */
export const decodePosition = Effect.fnUntraced(function* (operation: string, request: object, cursor: string) {
  const { log, marks, of, ...rest } = yield* decodeChainCursor(operation, cursor)
  if (of !== operation) return yield* new InvalidCursor({ operation, detail: `it belongs to "${of}"` })
  if (rest.request !== getText(request)) {
    return yield* new InvalidCursor({ operation, detail: `it belongs to another request, ${rest.request}` })
  }
  const [first, ...others] = marks
  const getMark = ([number, hash, isAsked]: typeof first): Mark => ({ number, hash, isAsked: isAsked === 1 })
  return { marks: [getMark(first), ...others.map(getMark)], log } satisfies ChainPosition
})

/** The cursor of the position. */
export const getCursor = (operation: string, request: object, { log, marks }: ChainPosition): string => {
  const [first, ...others] = marks
  const texts = ({ hash, isAsked, number }: Mark) => [number, hash, isAsked ? 1 : 0] as const
  return encodeChainCursor({
    version: 1,
    of: operation,
    request: getText(request),
    marks: [texts(first), ...others.map(texts)],
    ...(log === undefined ? {} : { log })
  })
}
