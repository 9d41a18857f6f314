import * as FixedPoint from "./FixedPoint.ts"

/** A market of the sandbox exchange. */
export interface Product {
  /** `BASE-QUOTE` */
  readonly id: string
  readonly base: string
  readonly quote: string
  /** Decimal places of a price; one tick is the last of them. */
  readonly priceDecimals: number
  /** Decimal places of a size; one lot is the last of them. */
  readonly sizeDecimals: number
  /** The initial price, around which it drifts, as decimal text. */
  readonly referencePrice: string
}

export interface Currency {
  readonly id: string
  readonly name: string
  readonly type: "crypto" | "fiat"
  readonly decimals: number
}

/** Two large markets, and one whose price has the maximum number of digits of the protocol. */
export const defaultProducts: ReadonlyArray<Product> = [
  { id: "BTC-USD", base: "BTC", quote: "USD", priceDecimals: 2, sizeDecimals: 8, referencePrice: "67250.00" },
  { id: "ETH-USD", base: "ETH", quote: "USD", priceDecimals: 2, sizeDecimals: 8, referencePrice: "3480.00" },
  { id: "SHIB-USD", base: "SHIB", quote: "USD", priceDecimals: 8, sizeDecimals: 0, referencePrice: "0.00002418" }
]

const names: Readonly<Record<string, string>> = {
  BTC: "Bitcoin",
  ETH: "Ether",
  SHIB: "Shiba Inu",
  USD: "United States Dollar"
}
const fiat = new Set(["USD", "EUR", "GBP", "JPY", "CHF"])

/** The currencies of the products, each once, by id. */
export const getCurrencies = (products: ReadonlyArray<Product>): ReadonlyArray<Currency> => {
  const found = new Map<string, Currency>()
  const note = (id: string, decimals: number) => {
    const known = found.get(id)
    if (known !== undefined && known.decimals >= decimals) return
    found.set(id, { id, name: names[id] ?? id, type: fiat.has(id) ? "fiat" : "crypto", decimals })
  }
  for (const product of products) {
    note(product.base, product.sizeDecimals)
    note(product.quote, 2)
  }
  return [...found.values()].toSorted((left, right) => (left.id < right.id ? -1 : 1))
}

/** The smallest step of a decimal with that many places: 2 is `0.01`. */
export const increment = (decimals: number): string => FixedPoint.format(1, decimals)
