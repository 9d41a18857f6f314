/** Decimals as safe integers: `67000.01` with two places is `6700001`. No binary fraction is ever involved. */

const digits = (units: number, places: number): readonly [whole: string, fraction: string] => {
  const text = Math.abs(units)
    .toString()
    .padStart(places + 1, "0")
  return [`${units < 0 ? "-" : ""}${text.slice(0, text.length - places)}`, text.slice(text.length - places)]
}

/** Text with exactly `shown` digits after the point (`shown >= places`). */
export const formatFixed = (units: number, places: number, shown: number): string => {
  const [whole, fraction] = digits(units, places)
  return shown === 0 ? whole : `${whole}.${fraction.padEnd(shown, "0")}`
}

/** The shortest exact text: no trailing zeros, no exponent. Also a valid JSON number. */
export const format = (units: number | bigint, places: number): string => {
  const [whole, fraction] = typeof units === "bigint" ? bigDigits(units, places) : digits(units, places)
  const significant = fraction.replace(/0+$/, "")
  return significant === "" ? whole : `${whole}.${significant}`
}

const bigDigits = (units: bigint, places: number): readonly [whole: string, fraction: string] => {
  const text = (units < 0n ? -units : units).toString().padStart(places + 1, "0")
  return [`${units < 0n ? "-" : ""}${text.slice(0, text.length - places)}`, text.slice(text.length - places)]
}

const decimal = /^(\d{1,16})(?:\.(\d{1,16}))?$/

/** The units of a non-negative decimal, or `undefined` if the text is not a decimal or does not fit. */
export const parse = (text: string, places: number): number | undefined => {
  const match = decimal.exec(text)
  if (match === null) return undefined
  const fraction = (match[2] ?? "").replace(/0+$/, "")
  if (fraction.length > places) return undefined
  const units = Number(`${match[1] ?? ""}${fraction.padEnd(places, "0")}`)
  return Number.isSafeInteger(units) ? units : undefined
}
