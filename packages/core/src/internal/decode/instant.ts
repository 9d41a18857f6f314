import * as DateTime from "effect/DateTime"
import { type Reader, refused } from "./reader.ts"
import { latestMillis } from "./unixText.ts"

const example = DateTime.makeUnsafe(0)
const prototype: object | null = Object.getPrototypeOf(example)
const isAsKnown = Object.getOwnPropertyNames(example).join() === "epochMilliseconds,partsUtc"

const Instant = function (this: { epochMilliseconds: number }, milliseconds: number) {
  this.epochMilliseconds = milliseconds
} as unknown as { new (milliseconds: number): DateTime.Utc; prototype: object | null }
Instant.prototype = prototype

/**
 * The instant that `DateTime.makeUnsafe` makes of milliseconds, at a tenth of its cost: that one defines an empty
 * property as a cache of the date's parts, which is created on demand here. Falls back to `DateTime.makeUnsafe` if
 * Effect creates instants of another shape than the one known here. The cast states what the prototype makes of it.
 */
export const instant = (milliseconds: number): DateTime.Utc =>
  isAsKnown ? new Instant(milliseconds) : DateTime.makeUnsafe(milliseconds)

/** The number written by up to 16 digits without a leading zero, or -1. */
const natural = (text: string): number => {
  const length = text.length
  if (length === 0 || length > 16 || (length > 1 && text.charCodeAt(0) === 48)) return -1
  let number = 0
  for (let index = 0; index < length; index++) {
    const digit = text.charCodeAt(index) - 48
    if (digit < 0 || digit > 9) return -1
    number = number * 10 + digit
  }
  return number
}

/** Reads digits that count units of this many milliseconds since 1970. */
export const instantText = (unit: number): Reader => {
  const latest = latestMillis / unit
  return (json) => {
    const units = typeof json === "string" ? natural(json) : -1
    return units < 0 || units > latest ? refused : instant(units * unit)
  }
}
