import { Effect, Option, Schema } from "effect"
import type { CDPSession } from "playwright-core"
import { step } from "./Chromium.ts"
import { trace } from "./Trace.ts"

const Metrics = Schema.Struct({
  metrics: Schema.Array(Schema.Struct({ name: Schema.String, value: Schema.Finite }))
})

const readMetrics = Effect.fnUntraced(function* (session: CDPSession) {
  const { metrics } = yield* Effect.flatMap(
    step(() => session.send("Performance.getMetrics")),
    Schema.decodeUnknownEffect(Metrics)
  )
  return new Map(metrics.map(({ name, value }) => [name, value]))
})

/** The load of a page, as parts of the time. */
export interface Load {
  /** In which the main thread has a task, running or waiting for a processor. */
  readonly busy: number
  /** In which the main thread uses a processor. */
  readonly computing: number
}

/** The load of the main thread of a page during this many seconds, from the counters of the browser. */
export const measureLoad = Effect.fnUntraced(function* (session: CDPSession, seconds: number) {
  yield* step(() => session.send("Performance.enable"))
  const before = yield* readMetrics(session)
  yield* Effect.sleep(`${seconds} seconds`)
  const after = yield* readMetrics(session)
  const grown = (name: string) => (after.get(name) ?? Number.NaN) - (before.get(name) ?? Number.NaN)
  const span = grown("Timestamp")
  const load: Load = { busy: grown("TaskDuration") / span, computing: grown("ThreadTime") / span }
  return load
})

/** Lays out and removes tables, as a view does with its rows. */
const layOutTables = `(() => {
  for (let round = 0; round < 60; round++) {
    const table = document.createElement("table")
    for (let row = 0; row < 50; row++)
      for (let cell = 0, line = table.insertRow(); cell < 6; cell++)
        line.insertCell().textContent = (row * 7919 + cell * round).toLocaleString("en")
    document.body.append(table)
    table.getBoundingClientRect()
    table.remove()
  }
})()`

/**
 * The seconds of processor time that the main thread of a page needs for the same work on any page. They double where
 * another thread uses the other half of the core.
 */
export const measureCore = Effect.fnUntraced(function* (session: CDPSession) {
  yield* step(() => session.send("Performance.enable"))
  const before = yield* readMetrics(session)
  yield* step(() => session.send("Runtime.evaluate", { expression: layOutTables }))
  const after = yield* readMetrics(session)
  return (after.get("ThreadTime") ?? Number.NaN) - (before.get("ThreadTime") ?? Number.NaN)
})

/** A task of a thread, with its processor time in microseconds. */
const Task = Schema.Struct({
  name: Schema.String.check(Schema.isPattern(/RunTask$/)),
  pid: Schema.Int,
  tid: Schema.Int,
  tdur: Schema.Finite
})

const ThreadName = Schema.Struct({
  name: Schema.Literal("thread_name"),
  pid: Schema.Int,
  tid: Schema.Int,
  args: Schema.Struct({ name: Schema.String })
})

const decodeTask = Schema.decodeUnknownOption(Task)
const decodeThread = Schema.decodeUnknownOption(ThreadName)

const toTasks = (events: ReadonlyArray<unknown>): ReadonlyArray<number> => {
  const threads = events
    .flatMap((event) => Option.toArray(decodeThread(event)))
    .filter(({ args }) => args.name === "CrRendererMain")
  return events
    .flatMap((event) => Option.toArray(decodeTask(event)))
    .filter(({ pid, tid }) => threads.some((thread) => thread.pid === pid && thread.tid === tid))
    .map(({ tdur }) => tdur / 1000)
}

const categories = ["toplevel", "disabled-by-default-devtools.timeline"]

/** The processor times of the tasks of all pages of the browser during this many seconds, in milliseconds. */
export const traceTasks = Effect.fnUntraced(function* (session: CDPSession, seconds: number) {
  return toTasks(yield* trace(session, categories, seconds))
})
