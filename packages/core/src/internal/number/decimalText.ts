/** `value` x 10^-`scale`. */
export interface Scaled {
  readonly value: bigint
  readonly scale: number
}

export const parse = (text: string): Scaled => {
  const point = text.indexOf(".")
  return point < 0
    ? { value: BigInt(text), scale: 0 }
    : { value: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 }
}

export const add = (left: Scaled, right: Scaled): Scaled => {
  const scale = Math.max(left.scale, right.scale)
  const at = ({ scale: own, value }: Scaled) => (own === scale ? value : value * 10n ** BigInt(scale - own))
  return { value: at(left) + at(right), scale }
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value)

/** The number of digits, without leading zeros. */
export const countDigits = ({ value }: Scaled): number => String(magnitude(value)).length

const halfEven = (value: bigint, divisor: bigint): bigint => {
  const quotient = value / divisor
  const double = 2n * magnitude(value % divisor)
  const isAway = double > divisor || (double === divisor && (quotient & 1n) === 1n)
  return isAway ? quotient + (value < 0n ? -1n : 1n) : quotient
}

/** Limited to this many decimal places; if negative, to multiples of this power of ten. */
export const roundTo = ({ scale, value }: Scaled, to: number, rounding: "half-even" | "toward-zero"): Scaled => {
  if (to >= scale) return { value, scale }
  const divisor = 10n ** BigInt(scale - to)
  return { value: rounding === "half-even" ? halfEven(value, divisor) : value / divisor, scale: to }
}

/** Every digit, and never a negative zero. */
export const write = ({ scale, value }: Scaled): string => {
  const sign = value < 0n ? "-" : ""
  if (scale <= 0) return sign + String(magnitude(value) * 10n ** BigInt(-scale))
  const digits = String(magnitude(value)).padStart(scale + 1, "0")
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** An integer, which may be negative, with a separator between groups of three digits. */
export const group = (integer: string, separator: string): string => {
  const start = integer.startsWith("-") ? 1 : 0
  const groups: Array<string> = []
  let end = integer.length
  for (; end - start > 3; end -= 3) groups.push(integer.slice(end - 3, end))
  return [integer.slice(0, end), ...groups.reverse()].join(separator)
}

/** The digits of a JSON number without an exponent. Any other text is unchanged. */
export const toPlainDigits = (number: string): string => {
  const [, digits, exponent] = /^(-?\d+(?:\.\d+)?)[eE]([+-]?\d{1,3})$/.exec(number) ?? []
  if (digits === undefined || exponent === undefined) return number
  const { scale, value } = parse(digits)
  return write({ value, scale: scale - Number(exponent) })
}
