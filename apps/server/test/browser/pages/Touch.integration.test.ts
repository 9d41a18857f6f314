import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { CDPSession, Page } from "playwright-core"
import { chromiumPath, step } from "../Chromium.ts"
import { openDemo } from "../demo/DemoPage.ts"
import { DemoProgram } from "../demo/DemoProgram.ts"

interface Point {
  readonly x: number
  readonly y: number
}

const phone = { viewport: { width: 390, height: 740 }, hasTouch: true, isMobile: true }

const touch = (session: CDPSession, type: "touchStart" | "touchMove" | "touchEnd", points: ReadonlyArray<Point>) =>
  step(() =>
    session.send("Input.dispatchTouchEvent", { type, touchPoints: points.map((point, id) => ({ ...point, id })) })
  )

const moves = 15

/** Moves fingers to other places, as fast as a hand does, and lifts the second one first. */
const drag = Effect.fnUntraced(function* (
  session: CDPSession,
  fingers: ReadonlyArray<readonly [from: Point, to: Point]>
) {
  for (let at = 0; at <= moves; at += 1) {
    const points = fingers.map(([from, to]) => ({
      x: from.x + ((to.x - from.x) * at) / moves,
      y: from.y + ((to.y - from.y) * at) / moves
    }))
    yield* touch(session, at === 0 ? "touchStart" : "touchMove", points)
    yield* Effect.sleep("16 millis")
  }
  for (let left = fingers.length - 1; left >= 0; left -= 1)
    yield* touch(
      session,
      "touchEnd",
      fingers.slice(0, left).map(([, to]) => to)
    )
})

const scrolled = (page: Page) => step(() => page.evaluate("window.scrollY")).pipe(Effect.map(Number))

/** The legend, without its newest candle, which changes all the time. */
const legend = (page: Page) => step(() => page.locator(".legend time").getAttribute("datetime"))

/** The market page on a phone, with the middle of its chart. */
const openChart = Effect.gen(function* () {
  const [demo] = yield* openDemo(phone)
  const { complaints, page } = demo ?? assert.fail("there is no page")
  yield* step(() => page.locator(".day dd").first().waitFor())
  yield* step(() => page.getByText(/Recorded trades prove/).waitFor())
  yield* step(() => page.evaluate("document.querySelector('.chart').scrollIntoView({ block: 'center' })"))
  const box = (yield* step(() => page.locator(".chart").boundingBox())) ?? assert.fail("there is no chart")
  const session = yield* step(() => page.context().newCDPSession(page))
  return { complaints, page, session, x: box.x + box.width / 2, y: box.y + box.height / 2 }
})

describe.skipIf(chromiumPath === undefined)("the chart under fingers (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "is scaled by a pinch, which opens no proof, and opens the proof of a candle by a click or a tap after it",
      () =>
        Effect.gen(function* () {
          const { complaints, page, session, x, y } = yield* openChart
          const [left, right] = [
            { x: x - 120, y },
            { x: x + 120, y }
          ]
          const [nearLeft, nearRight] = [
            { x: x - 20, y },
            { x: x + 20, y }
          ]
          for (const fingers of [
            [
              [nearLeft, left],
              [nearRight, right]
            ],
            [
              [left, nearLeft],
              [right, nearRight]
            ]
          ] as const) {
            yield* drag(session, fingers)
            yield* Effect.sleep("1 second")
            assert.strictEqual(yield* step(() => page.getByRole("dialog").count()), 0)
          }
          // On a computer with a touch screen, a mouse may follow the fingers.
          const proof = page.getByRole("heading", { name: "Proof: candle" })
          yield* step(() => page.mouse.click(x, y))
          yield* step(() => proof.waitFor())
          yield* step(() => page.keyboard.press("Escape"))
          yield* step(() => proof.waitFor({ state: "hidden" }))
          yield* step(() => page.touchscreen.tap(x, y))
          yield* step(() => proof.waitFor())
          assert.deepStrictEqual(complaints, [])
        }).pipe(Effect.scoped),
      300_000
    )

    it.effect(
      "lets a finger scroll the page, also after one that has read a candle",
      () =>
        Effect.gen(function* () {
          const { page, session, x, y } = yield* openChart
          const newest = yield* legend(page)
          yield* touch(session, "touchStart", [{ x, y }])
          yield* Effect.sleep("600 millis")
          assert.notStrictEqual(yield* legend(page), newest)
          yield* touch(session, "touchEnd", [])
          const before = yield* scrolled(page)
          yield* drag(session, [
            [
              { x, y },
              { x, y: y - 150 }
            ]
          ])
          yield* Effect.sleep("1 second")
          assert.isAbove((yield* scrolled(page)) - before, 50)
          assert.strictEqual(yield* step(() => page.getByRole("dialog").count()), 0)
        }).pipe(Effect.scoped),
      300_000
    )
  })
})
