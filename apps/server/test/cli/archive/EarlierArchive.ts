import type { TapeTrade } from "../../../src/cex/tape/Tape.ts"
import * as ExactDecimal from "../../../src/internal/ExactDecimal.ts"

const first = Date.UTC(2025, 0, 1)
const hourMs = 3_600_000

/**
 * The trades of `test/fixtures/archives/trades`, an archive that the first version with archives wrote: every six hours, four
 * and a half days of them. The one of sequence 1,009 is missing.
 */
export const earlierTrades = Array.from({ length: 18 }, (_, index): TapeTrade => {
  const [price, size] = [`${60_000 + index}.5`, `0.0${index + 1}1`].map((text) => ExactDecimal.canonical(text) ?? "0")
  const timestamp = first + 12 * hourMs + index * 6 * hourMs
  return {
    id: String(1000 + index),
    sequence: 1000 + index,
    timestamp,
    price: price ?? "0",
    size: size ?? "0",
    cost: ExactDecimal.multiply(price ?? "0", size ?? "0"),
    side: index % 3 === 0 ? "buy" : "sell",
    receivedAt: timestamp + 50
  }
}).filter(({ sequence }) => sequence !== 1009)
