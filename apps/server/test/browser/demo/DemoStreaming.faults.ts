import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect, Schedule, Schema } from "effect"
import type { CDPSession, Page } from "playwright-core"
import { measureRealTime } from "../../MeasureRealTime.ts"
import { chromiumPath, openBrowser, picture, step } from "../Chromium.ts"
import { traceFrames } from "../FrameTrace.ts"
import { makeMarket, newestAt, perSecond } from "../MadeMarket.ts"
import { DemoProgram } from "./DemoProgram.ts"

const Metrics = Schema.Struct({
  metrics: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.Finite }))
})

/** The page of the generated market. */
const openMarket = Effect.fnUntraced(function* (now: () => number, script?: string) {
  const { key, origin } = yield* DemoProgram
  const door = yield* makeMarket(origin, now)
  const context = yield* openBrowser({ viewport: { width: 1440, height: 900 } })
  const page = yield* step(() => context.newPage())
  if (script !== undefined) yield* step(() => page.addInitScript(script))
  yield* step(() => page.goto(`${door}/#key=${key}`))
  yield* step(() => page.locator(".tape tbody tr").nth(5).waitFor())
  const session = yield* step(() => context.newCDPSession(page))
  yield* step(() => session.send("Performance.enable"))
  const measure = Effect.gen(function* () {
    yield* step(() => session.send("HeapProfiler.collectGarbage"))
    const { metrics } = yield* Effect.flatMap(
      step(() => session.send("Performance.getMetrics")),
      Schema.decodeUnknownEffect(Metrics)
    )
    return new Map(metrics.map(({ name, value }) => [name, value]))
  })
  return { page, session, measure }
})

/**
 * Defines `move`, which starts and stops an animation drawn by the page's own thread, so that every frame is wanted and
 * each late one is counted.
 */
const moving = `(() => {
  const mark = document.createElement("div")
  mark.style.cssText = "position:fixed;top:0;left:0;width:4px;height:4px;background:gray"
  document.body.append(mark)
  let at = 0
  let isMoving = false
  const draw = () => {
    if (!isMoving) return
    at = (at + 1) % 60
    mark.style.left = at + "px"
    requestAnimationFrame(draw)
  }
  window.move = (wanted) => {
    isMoving = wanted
    draw()
  }
})()`

const seconds = 10

/** Other load on the machine only removes frames: one of these spans has to hold. */
const spans = 8

/** The frames of a page during the animation. */
const toFrames = ({ page, session }: { readonly page: Page; readonly session: CDPSession }) =>
  Effect.acquireUseRelease(
    step(() => page.evaluate("move(true)")),
    () => traceFrames(session, seconds),
    () => step(() => page.evaluate("move(false)"))
  )

/** An empty page in its own browser. */
const emptyPage = Effect.gen(function* () {
  const context = yield* openBrowser({ viewport: { width: 1440, height: 900 } })
  const page = yield* step(() => context.newPage())
  yield* step(() => page.evaluate(moving))
  return { page, session: yield* step(() => context.newCDPSession(page)) }
})

/** The number of trades in an hour. */
const hour = 3600 * perSecond

interface Sample {
  /** In megabytes, after a garbage collection. */
  readonly heap: number
  readonly nodes: number
  readonly listeners: number
}

/** The speed of the page's clock after `hurry`. */
const haste = 60

/**
 * Defines `hurry`, which speeds up the page's clock and its timers from then on. Request timeouts stay: the network has
 * its usual speed.
 */
const hurrying = `(() => {
  const pauses = 5000
  const RealDate = Date, later = window.setTimeout
  let begun = 0, haste = 1
  const now = () => haste === 1 ? RealDate.now() : begun + (RealDate.now() - begun) * haste
  window.Date = class extends RealDate {
    constructor(...given) {
      super(...(given.length === 0 ? [now()] : given))
    }
    static now() {
      return now()
    }
  }
  window.setTimeout = (act, millis = 0, ...given) => later(act, millis < pauses ? millis / haste : millis, ...given)
  window.hurry = (from, times) => {
    begun = from
    haste = times
  }
})()`

describe.skipIf(chromiumPath === undefined)("the demo while trades stream in (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "shows 60 frames in each second while 50 trades a second come",
      () =>
        Effect.gen(function* () {
          const { measure, page, session } = yield* openMarket(Date.now)
          yield* step(() => page.evaluate(moving))
          const span = Effect.gen(function* () {
            const before = yield* measure
            const begun = yield* Clock.currentTimeMillis
            const { longest, perSecond, states } = yield* toFrames({ page, session })
            const after = yield* measure
            const busyFor = ((after.get("TaskDuration") ?? 0) - (before.get("TaskDuration") ?? 0)) * 1000
            const busy = busyFor / ((yield* Clock.currentTimeMillis) - begun)
            const became = [...states].map(([state, count]) => `${count} ${state}`).join(", ")
            yield* Effect.logInfo(
              `${perSecond.toFixed(1)} frames/s, ${longest.toFixed(0)} ms at most: ${became}; ` +
                `the page's thread is busy for ${(busy * 100).toFixed(1)} % of the time`
            )
            if (Math.round(perSecond) === 60) return { perSecond, busy, possible: 60 }
            // The number that this machine can show at the moment, if it is below 60.
            const empty = yield* Effect.scoped(Effect.flatMap(emptyPage, toFrames))
            return { perSecond, busy, possible: Math.min(60, empty.perSecond) }
          })
          // The page of trades before the oldest one is loaded in the first span.
          yield* measureRealTime(
            span,
            ({ busy, perSecond, possible }) => perSecond >= possible - 0.5 && busy < 0.5,
            spans
          )
        }).pipe(Effect.scoped),
      900_000
    )

    it.effect(
      "keeps its memory over an hour of trades",
      () =>
        Effect.gen(function* () {
          let begun = Infinity
          const now = () => (Date.now() < begun ? Date.now() : begun + (Date.now() - begun) * haste)
          const { measure, page } = yield* openMarket(now, hurrying)
          begun = yield* Clock.currentTimeMillis
          yield* step(() => page.evaluate(`hurry(${begun}, ${haste})`))
          const samples: Array<Sample> = []
          const first = newestAt(now())
          while (newestAt(now()) - first < hour || samples.length < 15) {
            yield* Effect.sleep("4 seconds")
            const metrics = yield* measure
            const of = (name: string) => metrics.get(name) ?? Number.NaN
            samples.push({ heap: of("JSHeapUsedSize") / 1e6, nodes: of("Nodes"), listeners: of("JSEventListeners") })
          }
          const third = Math.floor(samples.length / 3)
          // Memory of the oldest page of trades is temporary until it is drawn: the minimum of a third is what remains.
          const least = (part: ReadonlyArray<Sample>, name: keyof Sample) => Math.min(...part.map((one) => one[name]))
          const grown = (name: keyof Sample) =>
            least(samples.slice(-third), name) - least(samples.slice(third, -third), name)
          yield* Effect.logInfo(
            `${hour} trades: heap ${samples.map(({ heap }) => heap.toFixed(1)).join(" ")} MB, ` +
              `${grown("heap").toFixed(2)} MB, ${grown("nodes")} nodes and ${grown("listeners")} listeners more`
          )
          yield* picture(page, "demo-after-an-hour")
          const end = now()
          const newest = Effect.map(
            step(() => page.evaluate("document.querySelector('.tape tbody time')?.dateTime")),
            (shown) => Date.parse(String(shown))
          )
          yield* newest.pipe(
            Effect.repeat({ until: (shown) => shown > end, schedule: Schedule.spaced("100 millis") }),
            Effect.timeoutOrElse({
              duration: "60 seconds",
              orElse: () => Effect.die(new Error("the trades do not come to the page"))
            })
          )
          assert.isBelow(grown("heap"), 2)
          assert.isBelow(grown("nodes"), 200)
          assert.isBelow(grown("listeners"), 50)
        }).pipe(Effect.scoped),
      600_000
    )
  })
})
