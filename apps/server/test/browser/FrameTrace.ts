import { Effect, Option, Schema } from "effect"
import type { CDPSession } from "playwright-core"
import { trace } from "./Trace.ts"

const Reporter = Schema.Struct({ state: Schema.String })

/** The compositor's state of a wanted frame, at the start time in microseconds. */
const FrameReport = Schema.Struct({
  name: Schema.Literal("PipelineReporter"),
  ph: Schema.Literal("b"),
  ts: Schema.Finite,
  // Browsers before and after the event was renamed.
  args: Schema.Union([Schema.Struct({ frame_reporter: Reporter }), Schema.Struct({ chrome_frame_reporter: Reporter })])
})

const decodeReport = Schema.decodeUnknownOption(FrameReport)

const categories = ["cc", "benchmark", "disabled-by-default-devtools.timeline.frame"]

/** The frames of a span of time, from the browser's own tracing. */
export interface Frames {
  /** Frames per second that were shown complete, including the page's own thread. */
  readonly perSecond: number
  /** The longest time between two of them, in milliseconds. */
  readonly longest: number
  /** The number of frames by state. */
  readonly states: ReadonlyMap<string, number>
}

const toFrames = (events: ReadonlyArray<unknown>): Frames => {
  const states = new Map<string, number>()
  const shown: Array<number> = []
  for (const event of events) {
    const report = Option.getOrUndefined(decodeReport(event))
    if (report === undefined) continue
    const { state } = "frame_reporter" in report.args ? report.args.frame_reporter : report.args.chrome_frame_reporter
    states.set(state, (states.get(state) ?? 0) + 1)
    if (state === "STATE_PRESENTED_ALL") shown.push(report.ts)
  }
  const times = shown.toSorted((one, other) => one - other)
  const gaps = times.slice(1).map((time, index) => (time - (times[index] ?? time)) / 1000)
  const span = gaps.reduce((sum, gap) => sum + gap, 0)
  return { perSecond: span === 0 ? 0 : (gaps.length * 1000) / span, longest: Math.max(0, ...gaps), states }
}

/** Traces frames for this many seconds. */
export const traceFrames = Effect.fnUntraced(function* (session: CDPSession, seconds: number) {
  return toFrames(yield* trace(session, categories, seconds))
})
