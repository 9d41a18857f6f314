import { Effect } from "effect"
import type { CDPSession } from "playwright-core"
import { step } from "./Chromium.ts"

/** The events that the browser traces during this many seconds. */
export const trace = Effect.fnUntraced(function* (
  session: CDPSession,
  categories: Array<string>,
  seconds: number
): Effect.fn.Return<ReadonlyArray<unknown>> {
  const events: Array<unknown> = []
  const gather = ({ value }: { readonly value: ReadonlyArray<unknown> }) => {
    for (const event of value) events.push(event)
  }
  session.on("Tracing.dataCollected", gather)
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve))
  yield* step(() =>
    session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: categories } })
  )
  yield* Effect.sleep(`${seconds} seconds`)
  yield* step(() => session.send("Tracing.end"))
  yield* step(() => complete)
  session.off("Tracing.dataCollected", gather)
  return events
})
