import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { getHead, toLines } from "../../src/cli/download/FileFormat.ts"
import { proven, judge, withPage } from "../../src/cli/download/Proof.ts"
import type { Proof } from "../../src/cli/download/Proof.ts"
import { elementTexts } from "../../src/cli/market/ElementText.ts"
import { tradeShape } from "../../src/cli/market/TradesCommand.ts"
import { printable } from "../../src/cli/terminal/printable.ts"
import { barLine, plainLine, estimateRemainingMs } from "../../src/cli/terminal/ProgressLine.ts"
import { looksLikeSeconds, parseTimeArgument } from "../../src/cli/terminal/TimeArgument.ts"

const now = Date.UTC(2026, 10, 21, 8)

const moment = (text: string) => Option.getOrUndefined(parseTimeArgument(text, now))

describe("a time as it is typed", () => {
  it("is ISO 8601, Unix milliseconds, or a duration back from now", () => {
    assert.strictEqual(moment("2026-11-20"), Date.UTC(2026, 10, 20))
    assert.strictEqual(moment("2026-11-20T09:30"), Date.UTC(2026, 10, 20, 9, 30))
    assert.strictEqual(moment("2026-11-20T09:30:00.250+01:00"), Date.UTC(2026, 10, 20, 8, 30, 0, 250))
    assert.strictEqual(moment("1795240134432"), 1_795_240_134_432)
    assert.strictEqual(moment("0"), 0)
    assert.strictEqual(moment("24h"), now - 86_400_000)
    assert.strictEqual(moment("1d12h"), now - 129_600_000)
    assert.strictEqual(moment("90s"), now - 90_000)
  })

  it("rejects any other text", () => {
    for (const text of [
      "",
      "yesterday",
      "2026-13-01",
      "2026-02-29",
      "2026-06-31T10:00:00Z",
      "2026-11-20 09:30",
      "-1h",
      "1y",
      "9999999w",
      "1e12"
    ])
      assert.isUndefined(moment(text), text)
    assert.isTrue(looksLikeSeconds("1795240134"))
    assert.isFalse(looksLikeSeconds("1795240134432"))
  })
})

const tradeTexts = (body: string) => elementTexts(tradeShape, body)
const { columns } = tradeShape

const element =
  '{"id":"a\\"},{\\u00e9","timestamp":"1795240134432","price":0.1000000000000000055511151231257827,"size":1e-8,' +
  '"cost":12345678901234567890.12,"side":"buy"}'

describe("the trades in the text of an answer", () => {
  it("keep every digit, and their ids, whatever stands in them", () => {
    const found = tradeTexts(`{"exchange":"x","market":"A/B","trades":[${element},\n ${element} ]}`)
    assert.lengthOf(found ?? [], 2)
    const [trade] = found ?? []
    assert.strictEqual(trade?.json, element)
    assert.strictEqual(trade?.id, 'a"},{é')
    assert.strictEqual(trade?.values[2], "0.1000000000000000055511151231257827")
    assert.strictEqual(
      toLines("csv", columns, found?.slice(0, 1) ?? []),
      '"a""},{é",1795240134432,2026-11-21T05:48:54.432Z,0.1000000000000000055511151231257827,1e-8,' +
        "12345678901234567890.12,buy\n"
    )
    assert.strictEqual(toLines("ndjson", columns, found ?? []), `${element}\n${element}\n`)
    assert.strictEqual(getHead("csv", columns), "id,timestamp,time,price,size,cost,side\n")
  })

  it("are escaped so that a spreadsheet reads no formulas", () => {
    const [trade] = tradeTexts(`{"trades":[${element}]}`) ?? []
    if (trade === undefined) return assert.fail()
    for (const id of ['=HYPERLINK("http://x")', "+1", "-1", "@SUM(1)", "\t=1"]) {
      assert.match(toLines("csv", columns, [{ ...trade, values: [id, ...trade.values.slice(1)] }]), /^"?'[=+\-@\t]/)
    }
    assert.strictEqual(
      printable("name is \u001b]0;x\u0007\u009b2J\u202e\nnext"),
      "name is \\u001b]0;x\\u0007\\u009b2J\\u202e\nnext"
    )
  })

  it("are not guessed where the text has another shape", () => {
    assert.deepStrictEqual(tradeTexts('{"trades":[]}'), [])
    for (const text of ["", "{}", '{"trades":[{}]}', '{"trades":[1]}', `{"trades":[${element}`, '{"trades":{}}'])
      assert.isUndefined(tradeTexts(text), text)
    assert.isUndefined(tradeTexts(`{"trades":[${element.replace('"side":"buy"', '"side":{}')}]}`))
    assert.isUndefined(tradeTexts(`{"trades":[${element.replace(',"side":"buy"', "")}]}`))
  })
})

const page = (state: Proof["state"], from: number, to: number, touches = true) => ({
  state,
  span: { from, to },
  touches
})

describe("the proof of consecutive pages", () => {
  it("is as strong as the weakest of them", () => {
    const complete = withPage(withPage(proven, page("complete", 0, 5)), page("complete", 5, 9))
    assert.strictEqual(judge(complete), "proven complete")
    const unknown = withPage(complete, page("unverifiable", 9, 12))
    assert.include(judge(unknown), "unverifiable, the exchange gives no means")
    const missing = withPage(withPage(unknown, page("incomplete", 12, 15)), page("incomplete", 15, 20))
    assert.deepStrictEqual(missing.gaps, [{ from: 12, to: 20 }])
    assert.strictEqual(
      judge(withPage(missing, page("complete", 20, 30))),
      "incomplete, nothing proves that no row is missing in 1970-01-01T00:00:00.012Z to 1970-01-01T00:00:00.020Z"
    )
  })

  it("is unverifiable if two pages have no trade in common", () => {
    const apart = withPage(withPage(proven, page("complete", 0, 5)), page("complete", 5, 9, false))
    assert.strictEqual(judge(apart), "unverifiable, pages have no trade in common at 1970-01-01T00:00:00.005Z")
  })
})

describe("the progress of a download", () => {
  const view = {
    since: 0,
    until: 1000,
    position: 250,
    rows: 1_234_567,
    unit: "rows",
    begun: { at: 0, position: 0, rows: 1_134_567 },
    waiting: ""
  }

  it("counts what this run has done, and what is left at its pace", () => {
    assert.strictEqual(plainLine(view, 10_000), "25.0 %  1,234,567 rows  10,000 rows/s  0:00:30 left")
    assert.strictEqual(barLine(view, 10_000, 120).slice(0, 35), "[######------------------] 25.0 %  ")
    assert.strictEqual(barLine(view, 10_000, 20), "25.0 %  1,234,567 r")
  })

  it("does not know what is left before the first page, and says why it waits", () => {
    assert.isUndefined(estimateRemainingMs({ ...view, position: 0 }, 10_000))
    assert.match(
      plainLine({ ...view, position: 0, waiting: "no connection" }, 10_000),
      /time left unknown {2}no connection$/
    )
  })
})
