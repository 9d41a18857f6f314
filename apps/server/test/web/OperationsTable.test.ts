import { operations } from "@chaintape/contract"
import { assert, describe, it } from "@effect/vitest"
import { liveOperations } from "../../src/http/live/LiveOperations.ts"
import { operationsTable } from "../../src/web/dashboard/OperationsTable.ts"

const day = { day: "2026-11-25", requests: 1_300, refused: 12 }

const toRows = (text: string) => [...text.matchAll(/<th scope="row"[\s\S]*?<\/tr>/g)].map(([row]) => row)

describe("the usage by operation", () => {
  it("has a row for each operation, with its summary, grouped numbers and a bar that is proportional", () => {
    const uses = [
      { operation: "cex.trades", requests: 1_200, refused: 12 },
      { operation: "dex.pools", requests: 100, refused: 0 }
    ]
    const { text } = operationsTable(uses, [day])
    const [trades = "", pools = ""] = toRows(text)
    assert.include(trades, "<code>cex.trades</code>")
    assert.match(trades, /class="number">1,200<[\s\S]*class="number">12</)
    assert.match(trades, /class="refused"[^>]* width="100.00"[\s\S]*class="served"[^>]* width="99.00"/)
    assert.match(pools, /class="served"[^>]* width="8.33"/)
    assert.notInclude(text, "counted by day only")
  })

  it("says how many requests were counted before there was an operation with them", () => {
    const uses = [{ operation: "cex.trades", requests: 100, refused: 0 }]
    assert.include(operationsTable(uses, [day]).text, "1,200 older requests were counted by day only.")
    assert.include(operationsTable([], [{ ...day, requests: 0 }]).text, "No requests by operation in the last 1 days.")
  })

  it("has words for every operation that a key may call", () => {
    for (const { group, name } of [...operations, ...liveOperations]) {
      const operation = `${group}.${name}`
      const [row = ""] = toRows(operationsTable([{ operation, requests: 1, refused: 0 }], [day]).text)
      const [, words = ""] = /<span>([^<]+) <code>/.exec(row) ?? []
      assert.include(row, `<code>${operation}</code>`)
      assert.notStrictEqual(words, operation)
    }
  })
})
