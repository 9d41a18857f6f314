import type { Decimal } from "@chaintape/core"

const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 2 })
const dollars = new Intl.NumberFormat("en", {
  style: "currency",
  currency: "USD",
  notation: "compact",
  maximumFractionDigits: 2
})
const dollarChange = new Intl.NumberFormat("en", {
  ...dollars.resolvedOptions(),
  signDisplay: "exceptZero"
})

/** As many decimals as every number may have. */
const usualDecimals = 8

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: usualDecimals })

const price = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 })
const scientific = new Intl.NumberFormat("en", { notation: "scientific", maximumFractionDigits: 3 })

const shapes = { short, dollars, dollarChange, grouped, price } as const

/** Beyond this there is no common suffix. */
const nameless = 1e15

const raised: Readonly<Record<string, string>> = Object.fromEntries([
  ["-", "⁻"],
  ...Array.from("⁰¹²³⁴⁵⁶⁷⁸⁹", (character, digit) => [String(digit), character])
])

/** Such as 1.518 × 10²¹. */
const powerOfTen = (value: number): string => {
  const [factor = "", exponent = ""] = scientific.format(value).split("E")
  return `${factor} × 10${Array.from(exponent, (character) => raised[character]).join("")}`
}

const formatSmall = (value: number): string | undefined => {
  if (Math.abs(value) >= nameless) return powerOfTen(value)
  return Math.abs(value) < 1 && value !== 0 ? price.format(Number(value.toPrecision(4))) : undefined
}

/** Decimals of a price on an axis. */
export const maxDecimals = 20

const withDecimals = Array.from(
  { length: maxDecimals + 1 },
  (_, decimals) =>
    new Intl.NumberFormat("en", {
      minimumFractionDigits: decimals,
      maximumFractionDigits: Math.max(usualDecimals, decimals)
    })
)

/** Below this, leading zeros are hard to count. */
const minPlain = 1e-6

const formatPrice = (value: number): string =>
  value !== 0 && Math.abs(value) < minPlain ? powerOfTen(value) : price.format(value)

/** A double holds so many digits of any decimal. */
const exactDigits = 15

/** The decimals that show a price: a tiny one has more than others. */
export const countDecimals = (price: Decimal.Decimal): number => {
  const ofDigits = exactDigits - 1 - Math.floor(Math.log10(Number(price) || 1))
  const most = Math.min(maxDecimals, Math.max(0, ofDigits))
  const [, fraction = ""] = price.split(".")
  return fraction.slice(0, most).replace(/0+$/, "").length
}

/** A number in a compact form; every digit on hover. With `decimals`, trailing zeros are shown. */
export const Figure = ({
  as = "short",
  decimals = 0,
  value
}: {
  readonly value: Decimal.Decimal | string | number | bigint
  readonly as?: keyof typeof shapes
  readonly decimals?: number
}) => {
  const number = Number(value)
  const text =
    as === "short"
      ? (formatSmall(number) ?? short.format(number))
      : as === "price"
        ? formatPrice(number)
        : (as === "grouped" ? (withDecimals[decimals] ?? grouped) : shapes[as]).format(number)
  return (
    <span className="num" title={String(value)}>
      {text}
    </span>
  )
}
