import { assert, describe, layer } from "@effect/vitest"
import { Clock, Effect, Schema } from "effect"
import { chromiumPath, openBrowser, picture, step } from "./Chromium.ts"
import { DemoProgram } from "./DemoProgram.ts"
import type { Frames } from "./FrameTrace.ts"
import { traceFrames } from "./FrameTrace.ts"
import { makeMarket, newestAt, perSecond } from "./MadeMarket.ts"

const Metrics = Schema.Struct({
  metrics: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.Finite }))
})

/** The page of the made market. */
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
 * Something that moves with every frame, drawn by the page's own thread: so each frame is wanted, and one that this
 * thread is late for is counted.
 */
const moving = `(() => {
  const mark = document.createElement("div")
  mark.style.cssText = "position:fixed;top:0;left:0;width:4px;height:4px;background:gray"
  document.body.append(mark)
  let at = 0
  const move = () => {
    at = (at + 1) % 60
    mark.style.left = at + "px"
    requestAnimationFrame(move)
  }
  requestAnimationFrame(move)
})()`

const seconds = 10

/** What else runs on the machine only ever takes frames away: the best of so many spans counts. */
const spans = 3

const most = (frames: ReadonlyArray<Frames>) => Math.max(0, ...frames.map(({ perSecond }) => perSecond))

/** So many trades are an hour's. */
const hour = 3600 * perSecond

interface Sample {
  /** In megabytes, after what is garbage was collected. */
  readonly heap: number
  readonly nodes: number
  readonly listeners: number
}

/** How many times as fast as usual the page's time goes, once it hurries. */
const haste = 40

/**
 * Makes `hurry`, from which on the page's clock and its pauses go faster. How long a request may take stays: the network
 * is as slow as ever.
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
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "120 seconds" })((it) => {
    it.effect(
      "shows 60 frames in each second while 50 trades a second come",
      () =>
        Effect.gen(function* () {
          const { measure, page, session } = yield* openMarket(Date.now)
          // What was before the oldest trade is read first.
          yield* Effect.sleep("8 seconds")
          yield* step(() => page.evaluate(moving))
          const before = yield* measure
          const begun = yield* Clock.currentTimeMillis
          const frames: Array<Frames> = []
          while (frames.length < spans && Math.round(most(frames)) < 60) {
            const found = yield* traceFrames(session, seconds)
            frames.push(found)
            const states = [...found.states].map(([state, count]) => `${count} ${state}`).join(", ")
            yield* Effect.logInfo(
              `${found.perSecond.toFixed(1)} frames/s, ${found.longest.toFixed(0)} ms at most: ${states}`
            )
          }
          const after = yield* measure
          const busyFor = ((after.get("TaskDuration") ?? 0) - (before.get("TaskDuration") ?? 0)) * 1000
          const busy = busyFor / ((yield* Clock.currentTimeMillis) - begun)
          yield* Effect.logInfo(`The page's thread is busy for ${(busy * 100).toFixed(1)} % of the time`)
          assert.strictEqual(Math.round(most(frames)), 60)
          assert.isBelow(busy, 0.5)
        }).pipe(Effect.scoped),
      120_000
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
          while (newestAt(now()) - first < hour) {
            yield* Effect.sleep("5 seconds")
            const metrics = yield* measure
            const of = (name: string) => metrics.get(name) ?? Number.NaN
            samples.push({ heap: of("JSHeapUsedSize") / 1e6, nodes: of("Nodes"), listeners: of("JSEventListeners") })
          }
          const third = Math.floor(samples.length / 3)
          // What the oldest page of trades leaves until it is drawn comes and goes: the least of a third is what stays.
          const least = (part: ReadonlyArray<Sample>, name: keyof Sample) => Math.min(...part.map((one) => one[name]))
          const grown = (name: keyof Sample) =>
            least(samples.slice(-third), name) - least(samples.slice(third, -third), name)
          yield* Effect.logInfo(
            `${hour} trades: heap ${samples.map(({ heap }) => heap.toFixed(1)).join(" ")} MB, ` +
              `${grown("heap").toFixed(2)} MB, ${grown("nodes")} nodes and ${grown("listeners")} listeners more`
          )
          yield* picture(page, "demo-after-an-hour")
          const shown = yield* step(() => page.evaluate("document.querySelector('.tape tbody time')?.dateTime"))
          const behind = (now() - Date.parse(String(shown))) / 1000
          yield* Effect.logInfo(`The newest trade on the page is ${behind.toFixed(0)} s old in the page's time`)
          assert.isBelow(behind, 300, "the trades did not come to the page")
          assert.isBelow(grown("heap"), 2)
          assert.isBelow(grown("nodes"), 200)
          assert.isBelow(grown("listeners"), 50)
        }).pipe(Effect.scoped),
      300_000
    )
  })
})
