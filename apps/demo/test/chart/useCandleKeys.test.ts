import { assert, describe, it } from "@effect/vitest"
import type { KeyboardEvent } from "react"
import type { ChartCandle } from "../../src/chart/ChartCandle.ts"
import { useCandleKeys } from "../../src/chart/useCandleKeys.ts"

const candles = [10, 20, 30].map((start): ChartCandle => ({
  start,
  open: 1,
  high: 1,
  low: 1,
  close: 1,
  volume: 0,
  isProven: true
}))

/** What a key does in a chart with a selected candle: the start of the selected and of the opened candle. */
const press = (key: string, selected: number | undefined, held: Partial<KeyboardEvent> = {}) => {
  const done: { selected?: number | undefined; opened?: number; isPrevented?: boolean } = {}
  const onKeyDown = useCandleKeys(
    candles,
    candles.find(({ start }) => start === selected),
    {
      onSelect: (candle) => {
        done.selected = candle?.start
      },
      onOpen: (candle) => {
        done.opened = candle.start
      }
    }
  )
  const target = {}
  const preventDefault = () => {
    done.isPrevented = true
  }
  onKeyDown({ key, target, currentTarget: target, preventDefault, ...held } as unknown as KeyboardEvent)
  return done
}

describe("the keys of a chart", () => {
  it("move the selection from candle to candle, starting at the newest, and stop at both ends", () => {
    const moves = [
      ["ArrowLeft", undefined, 30],
      ["ArrowLeft", 30, 20],
      ["ArrowLeft", 10, 10],
      ["ArrowRight", 20, 30],
      ["ArrowRight", 30, 30],
      ["Home", 30, 10],
      ["End", 10, 30]
    ] as const
    for (const [key, from, to] of moves) assert.deepStrictEqual(press(key, from), { selected: to, isPrevented: true })
  })

  it("open the selected or the newest candle, and clear the selection", () => {
    assert.deepStrictEqual(press("Enter", 20), { opened: 20, isPrevented: true })
    assert.deepStrictEqual(press("Enter", undefined), { opened: 30, isPrevented: true })
    assert.deepStrictEqual(press("Escape", 20), { selected: undefined })
  })

  it("do not handle other keys, key combinations and keys of nested elements", () => {
    assert.deepStrictEqual(press("a", 20), {})
    assert.deepStrictEqual(press("ArrowLeft", 20, { altKey: true }), {})
    assert.deepStrictEqual(press("Enter", 20, { target: {} as HTMLElement }), {})
  })
})
