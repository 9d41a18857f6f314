import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { measureRealTime } from "../../MeasureRealTime.ts"
import { chromiumPath, openBrowser, step } from "../Chromium.ts"
import { makeMarket } from "../MadeMarket.ts"
import { measureCore, measureLoad, traceTasks } from "../MainThread.ts"
import { reached } from "./DemoPage.ts"
import { DemoProgram } from "./DemoProgram.ts"

const viewport = { width: 1280, height: 900 }

/** Lists the durations of the tasks that the browser reports as long, which are those above 50 ms. */
const observeLongTasks = `(() => {
  window.longTasks = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.longTasks.push(entry.duration)
  }).observe({ type: "longtask" })
})()`

const LongTasks = Schema.Array(Schema.Finite)

/**
 * Milliseconds. The browser measures long tasks on the clock: a machine that gives the page no processor makes some, and
 * one span without any has to be found. The processor time of a task is that of the page alone.
 */
const longest = 50

const seconds = 20

/**
 * The part of a core that a view may use while only its streams bring something: the processor time of the main thread of
 * its page. A task that waits for a processor on a busy machine uses none, so that the time on the clock is logged only.
 */
const maxAtRest = 0.03

/** The core that the bound is a part of: it needs this many seconds for the work of `measureCore`. */
const wholeCore = 0.5

/** A core that another thread shares is half as fast. */
const maxSlowness = 2

/** Views, and an element that appears once the view is complete. */
const views: Readonly<Record<string, string>> = {
  "#/market": ".day dd",
  "#/dex": ".plot path",
  "#/blocks": "main tbody tr",
  "#/health": "[data-bar]"
}

const percent = (part: number) => `${(part * 100).toFixed(2)} %`

describe.skipIf(chromiumPath === undefined)("the figures of the demo (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "show no long task while 50 trades a second come",
      () =>
        Effect.gen(function* () {
          const { key, origin } = yield* DemoProgram
          const door = yield* makeMarket(origin)
          const context = yield* openBrowser({ viewport })
          const page = yield* step(() => context.newPage())
          yield* step(() => page.goto(`${door}/#key=${key}`))
          yield* step(() => page.locator(".day dd").first().waitFor())
          yield* reached(page, "document.querySelectorAll('.tape tbody tr').length", 20)
          const session = yield* step(() => context.newCDPSession(page))
          yield* step(() => page.evaluate(observeLongTasks))
          const span = Effect.gen(function* () {
            yield* step(() => page.evaluate("void (window.longTasks = [])"))
            const times = yield* traceTasks(session, seconds)
            const long = yield* Effect.flatMap(
              step(() => page.evaluate("window.longTasks")),
              Schema.decodeUnknownEffect(LongTasks)
            )
            const computed = Math.max(...times)
            yield* Effect.logInfo(
              `${times.length} tasks: the longest computed for ${computed.toFixed(1)} ms; reported as long: ${long.length} ${long.join(", ")}`
            )
            assert.isAbove(times.length, seconds)
            assert.isBelow(computed, longest)
            return long
          })
          yield* measureRealTime(span, (long) => long.length === 0)
        }).pipe(Effect.scoped),
      400_000
    )

    for (const [hash, complete] of Object.entries(views))
      it.effect(
        `show less than 3 % of a core at rest: ${hash}`,
        () =>
          Effect.gen(function* () {
            const { key, origin } = yield* DemoProgram
            const context = yield* openBrowser({ viewport })
            yield* step(() => context.addInitScript(`sessionStorage.setItem("chaintape-key", "${key}")`))
            const page = yield* step(() => context.newPage())
            yield* step(() => page.goto(`${origin}/${hash}`))
            yield* step(() => page.locator(complete).first().waitFor())
            const session = yield* step(() => context.newCDPSession(page))
            // What a page does after its start is no rest: code is compiled, and old candles are collected.
            yield* Effect.sleep("5 seconds")
            const span = Effect.gen(function* () {
              const before = yield* measureCore(session)
              const load = yield* measureLoad(session, seconds)
              // A slower core needs a larger part of itself for the same page.
              const work = Math.min(before, yield* measureCore(session))
              const slowness = Math.min(maxSlowness, Math.max(1, work / wholeCore))
              yield* Effect.logInfo(
                `${hash}: busy ${percent(load.busy)}, computing ${percent(load.computing)}, of a core slower by ${slowness.toFixed(2)}`
              )
              return { ...load, slowness }
            })
            yield* measureRealTime(span, ({ computing, slowness }) => computing / slowness < maxAtRest)
          }).pipe(Effect.scoped),
        400_000
      )
  })
})
