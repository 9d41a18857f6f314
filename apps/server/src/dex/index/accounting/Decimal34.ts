const maximumDigits = 34
/** Digits of a quotient before rounding. */
const quotientDigits = 100
/** The ratio of binary to decimal digits, truncated where graph-node truncates it. */
const bitsPerDigit = 3.3219280949

const powers: ReadonlyArray<bigint> = Array.from({ length: 192 }, (_, exponent) => 10n ** BigInt(exponent))
const power = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent)
const limit = power(maximumDigits)

/** Half of each power of ten, starting with the first. */
const halves: ReadonlyArray<bigint> = powers.map((value) => value / 2n)
const half = (exponent: number): bigint => halves[exponent] ?? power(exponent) / 2n

/** The approximate number of decimal digits of a positive integer: by floating point, off by one at most. */
const guessDigits = (value: bigint): number => Math.floor(Math.log10(Number(value))) + 1

/** The number of decimal digits of a positive integer. */
const countDigits = (value: bigint): number => {
  const guess = guessDigits(value)
  if (guess > powers.length) return value.toString().length
  if (value >= power(guess)) return guess + 1
  return value < power(guess - 1) ? guess - 1 : guess
}

/** The number of digits that graph-node computes for a negative integer: sometimes one too few. */
const estimateDigits = (magnitude: bigint): number => Math.floor(magnitude.toString(2).length / bitsPerDigit)

/**
 * The decimal of graph-node's mappings: an integer times a power of ten, rounded to 34 significant digits after every
 * operation. Positive values are rounded half up; negative values are truncated, and may keep a 35th digit.
 */
export class Decimal34 {
  readonly #digits: bigint
  readonly #exponent: number
  #text: string | undefined

  private constructor(digits: bigint, exponent: number) {
    this.#digits = digits
    this.#exponent = exponent
  }

  static readonly zero = new Decimal34(0n, 0)
  static readonly one = new Decimal34(1n, 0)

  /** `digits` times ten to the power of `exponent`. */
  static make(digits: bigint, exponent = 0): Decimal34 {
    if (digits === 0n) return Decimal34.zero
    if (digits >= limit) {
      const dropped = countDigits(digits) - maximumDigits
      return Decimal34.#strip((digits + half(dropped)) / power(dropped), exponent + dropped)
    }
    if (digits <= -limit) {
      const dropped = estimateDigits(-digits) - maximumDigits
      return Decimal34.#strip(dropped > 0 ? digits / power(dropped) : digits, exponent + Math.max(0, dropped))
    }
    return Decimal34.#strip(digits, exponent)
  }

  static #strip(digits: bigint, exponent: number): Decimal34 {
    if (digits === 0n) return Decimal34.zero
    if (digits % 10n !== 0n) return new Decimal34(digits, exponent)
    let rest = digits
    let stripped = exponent
    for (; rest % 100_000_000n === 0n; stripped += 8) rest /= 100_000_000n
    for (; rest % 10n === 0n; stripped += 1) rest /= 10n
    return new Decimal34(rest, stripped)
  }

  /** Parses plain notation. */
  static parse(text: string): Decimal34 {
    const point = text.indexOf(".")
    return point < 0
      ? Decimal34.make(BigInt(text))
      : Decimal34.make(BigInt(text.slice(0, point) + text.slice(point + 1)), point + 1 - text.length)
  }

  /** Parses the output of `toText`. Not rounded again: that could remove the 35th digit of a negative value. */
  static restore(text: string): Decimal34 {
    const point = text.indexOf(".")
    return point < 0
      ? Decimal34.#strip(BigInt(text), 0)
      : Decimal34.#strip(BigInt(text.slice(0, point) + text.slice(point + 1)), point + 1 - text.length)
  }

  plus(other: Decimal34): Decimal34 {
    // Positive values only: rounding a negative value again may remove its 35th digit.
    if (this.#digits === 0n && other.#digits >= 0n) return other
    if (other.#digits === 0n && this.#digits >= 0n) return this
    const shift = this.#exponent - other.#exponent
    return shift >= 0
      ? Decimal34.make(this.#digits * power(shift) + other.#digits, other.#exponent)
      : Decimal34.make(this.#digits + other.#digits * power(-shift), this.#exponent)
  }

  minus(other: Decimal34): Decimal34 {
    // Not `plus` of the negation: a negative value keeps a 35th digit where a positive one is rounded.
    if (other.#digits === 0n && this.#digits >= 0n) return this
    const shift = this.#exponent - other.#exponent
    return shift >= 0
      ? Decimal34.make(this.#digits * power(shift) - other.#digits, other.#exponent)
      : Decimal34.make(this.#digits - other.#digits * power(-shift), this.#exponent)
  }

  times(other: Decimal34): Decimal34 {
    // Scaling by a power of ten does not round positive values.
    if (other.#digits === 1n && this.#digits > 0n) return new Decimal34(this.#digits, this.#exponent + other.#exponent)
    return Decimal34.make(this.#digits * other.#digits, this.#exponent + other.#exponent)
  }

  /** The quotient; zero if the divisor is zero. */
  over(divisor: Decimal34): Decimal34 {
    if (this.#digits === 0n || divisor.#digits === 0n) return Decimal34.zero
    const exponent = this.#exponent - divisor.#exponent
    if (divisor.#digits === 1n) {
      return this.#digits > 0n ? new Decimal34(this.#digits, exponent) : Decimal34.make(this.#digits, exponent)
    }
    if (divisor.#digits === 2n && this.#digits > 0n) return Decimal34.make(this.#digits * 5n, exponent - 1)
    return this.#digits > 0n && divisor.#digits > 0n
      ? dividePositive(this.#digits, divisor.#digits, exponent)
      : divideExactly(this.#digits, divisor.#digits, exponent)
  }

  absolute(): Decimal34 {
    return this.#digits < 0n ? Decimal34.make(-this.#digits, this.#exponent) : this
  }

  isGreaterThan(other: Decimal34): boolean {
    const shift = this.#exponent - other.#exponent
    return shift >= 0 ? this.#digits * power(shift) > other.#digits : this.#digits > other.#digits * power(-shift)
  }

  /** Plain notation, without trailing zeros. */
  toText(): string {
    return (this.#text ??= this.#write())
  }

  #write(): string {
    const negative = this.#digits < 0n
    const digits = (negative ? -this.#digits : this.#digits).toString()
    const sign = negative ? "-" : ""
    if (this.#exponent >= 0) return sign + digits + "0".repeat(this.#exponent)
    const point = digits.length + this.#exponent
    return point > 0
      ? `${sign}${digits.slice(0, point)}.${digits.slice(point)}`
      : `${sign}0.${"0".repeat(-point)}${digits}`
  }
}

/** Digits of a quotient that suffice to round it to 34. */
const enoughDigits = 44

/**
 * The quotient of positive integers. Rounding to 100 and then to 34 digits differs from rounding once only if digit 35
 * is a 4 and the digits from 36 to 100 are nines.
 */
const dividePositive = (dividend: bigint, divisor: bigint, exponent: number): Decimal34 => {
  const shift = Math.max(0, enoughDigits + guessDigits(divisor) - guessDigits(dividend))
  const quotient = (dividend * power(shift)) / divisor
  const dropped = countDigits(quotient) - maximumDigits
  const truncated = quotient / power(dropped - 8)
  const tail = truncated % 100_000_000n
  if (tail === 49_999_999n) return divideExactly(dividend, divisor, exponent)
  return Decimal34.make(truncated / 100_000_000n + (tail >= 50_000_000n ? 1n : 0n), exponent - shift + dropped)
}

/** The quotient by long division: exact, or 100 digits of which the last is rounded half up. */
const divideExactly = (dividend: bigint, divisor: bigint, exponent: number): Decimal34 => {
  const negative = dividend < 0n !== divisor < 0n
  const denominator = divisor < 0n ? -divisor : divisor
  let rest = dividend < 0n ? -dividend : dividend
  let scale = exponent
  for (; rest < denominator; scale--) rest *= 10n
  let quotient = rest / denominator
  rest = (rest - quotient * denominator) * 10n
  for (let precision = countDigits(quotient); rest !== 0n && precision < quotientDigits; precision++) {
    const digit = rest / denominator
    quotient = quotient * 10n + digit
    rest = (rest - digit * denominator) * 10n
    scale--
  }
  if (rest / denominator >= 5n) quotient += 1n
  return Decimal34.make(negative ? -quotient : quotient, scale)
}
