/**
 * Arithmetic on decimal text. The canonical form has no exponent, no plus sign, no leading zero before a digit, no
 * trailing zero after a point and no negative zero, so equal values are equal texts.
 */

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/

/** The longest text, and the largest exponent: a short text must not expand to megabytes. */
interface Bounds {
  readonly length: number
  readonly exponent: number
}

const standardBounds: Bounds = { length: 512, exponent: 400 }

/** The canonical form of a decimal text (an exponent is allowed), or undefined if the text is not a decimal. */
export const canonical = (text: string, bounds = standardBounds): string | undefined => {
  if (text.length > bounds.length) return undefined
  const match = pattern.exec(text)
  if (match === null) return undefined
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match
  if (whole === "" && fraction === "") return undefined
  const shift = Number(exponent)
  if (Math.abs(shift) > bounds.exponent) return undefined
  return writeDecimal(sign === "-", whole + fraction, fraction.length - shift)
}

/** The exact product of two canonical decimals. */
export const multiply = (left: string, right: string): string => {
  const a = parse(left)
  const b = parse(right)
  return format(a.digits * b.digits, a.scale + b.scale)
}

/** The exact sum of two canonical decimals. */
export const add = (left: string, right: string): string => {
  const [a, b, scale] = align(left, right)
  return format(a + b, scale)
}

/** The exact sum of canonical decimals. */
export const sum = (values: ReadonlyArray<string>): string => {
  const byScale = new Map<number, bigint>()
  for (const value of values) {
    const { digits, scale } = parse(value)
    byScale.set(scale, (byScale.get(scale) ?? 0n) + digits)
  }
  return [...byScale].reduce((total, [scale, digits]) => add(total, format(digits, scale)), "0")
}

/** -1, 0 or 1 if the left of two canonical decimals is smaller than, equal to or larger than the right. */
export const compare = (left: string, right: string): -1 | 0 | 1 => {
  if (left === right) return 0
  // Nearest doubles are never in the opposite order.
  const [nearLeft, nearRight] = [Number(left), Number(right)]
  if (nearLeft !== nearRight) return nearLeft < nearRight ? -1 : 1
  const [a, b] = align(left, right)
  return a < b ? -1 : 1
}

/** Whether a canonical decimal is larger than zero. */
export const isPositive = (value: string): boolean => value !== "0" && !value.startsWith("-")

/** Whether a positive decimal is neither zero nor infinite to a reader whose numbers are doubles. */
export const fitsFloat = (value: string): boolean => {
  const nearest = Number(value)
  return nearest > 0 && nearest < Number.POSITIVE_INFINITY
}

interface Unscaled {
  readonly digits: bigint
  readonly scale: number
}

const parse = (value: string): Unscaled => {
  const point = value.indexOf(".")
  return point === -1
    ? { digits: BigInt(value), scale: 0 }
    : { digits: BigInt(value.slice(0, point) + value.slice(point + 1)), scale: value.length - point - 1 }
}

const align = (left: string, right: string): readonly [bigint, bigint, number] => {
  const a = parse(left)
  const b = parse(right)
  if (a.scale === b.scale) return [a.digits, b.digits, a.scale]
  return a.scale < b.scale
    ? [a.digits * 10n ** BigInt(b.scale - a.scale), b.digits, b.scale]
    : [a.digits, b.digits * 10n ** BigInt(a.scale - b.scale), a.scale]
}

const format = (digits: bigint, scale: number): string =>
  digits < 0n ? writeDecimal(true, (-digits).toString(), scale) : writeDecimal(false, digits.toString(), scale)

/** `digits` with the point `scale` places from the right (a negative scale appends zeros), in canonical form. */
const writeDecimal = (negative: boolean, digits: string, scale: number): string => {
  const padded = scale < 0 ? digits + "0".repeat(-scale) : digits.padStart(scale + 1, "0")
  const point = padded.length - Math.max(scale, 0)
  const whole = withoutLeadingZeros(padded.slice(0, point))
  const fraction = withoutTrailingZeros(padded.slice(point))
  const magnitude = fraction === "" ? whole : `${whole}.${fraction}`
  return negative && magnitude !== "0" ? `-${magnitude}` : magnitude
}

const withoutLeadingZeros = (text: string): string => {
  let start = 0
  while (start < text.length - 1 && text.charCodeAt(start) === 48) start++
  return start === 0 ? text : text.slice(start)
}

const withoutTrailingZeros = (text: string): string => {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 48) end--
  return end === text.length ? text : text.slice(0, end)
}
