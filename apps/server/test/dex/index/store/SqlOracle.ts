import { BigDecimal } from "effect"
import type { Order } from "../../../../src/dex/DexQueries.ts"

/** By code point, as UTF-8 bytes are ordered. */
const compareText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))

const isDecimal = (text: string) => /^-?\d+(\.\d+)?$/.test(text)

/** Decimals as numbers, an empty tick before all of them, anything else as text. */
const compareValues = (a: string, b: string): number => {
  if (isDecimal(a) && isDecimal(b))
    return BigDecimal.Order(BigDecimal.fromStringUnsafe(a), BigDecimal.fromStringUnsafe(b))
  return compareText(a, b)
}

const toValue = (row: object, field: string): string => {
  const value: unknown = Reflect.get(row, field)
  if (typeof value === "string") return value
  return typeof value === "object" && value !== null && "id" in value && typeof value.id === "string" ? value.id : ""
}

export const byField = <Row extends { readonly id: string }>(
  rows: ReadonlyArray<Row>,
  { direction, field }: Order<string>
): Array<Row> =>
  rows.toSorted(
    (a, b) =>
      compareValues(toValue(a, field), toValue(b, field)) * (direction === "asc" ? 1 : -1) || compareText(a.id, b.id)
  )
