import { Console } from "node:console"
import { clearImmediate, setImmediate } from "node:timers"
import { Effect, Layer, Logger } from "effect"

type Entry = Parameters<typeof Logger.formatStructured.log>[0]

const isPlain = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))

/** One line of JSON. What holds nothing but plain values needs no look for secrets and circles in it. */
export const lineOf = (entry: Entry): string => {
  const structured = Logger.formatStructured.log(entry)
  const { annotations, message } = structured
  return isPlain(message) && Object.values(annotations).every(isPlain)
    ? JSON.stringify(structured)
    : Logger.formatJson.log(entry)
}

/**
 * Writes each entry as a line of JSON. Those of one turn of the event loop go out together: to write costs more than to
 * log.
 */
export const layerTo = (stream: NodeJS.WritableStream) =>
  Layer.unwrap(
    Effect.gen(function* () {
      // It outlives a reader who goes, which the stream itself would not.
      const output = new Console({ stdout: stream })
      let lines: Array<string> = []
      let flushing: ReturnType<typeof setImmediate> | undefined
      const flush = () => {
        const written = lines
        lines = []
        flushing = undefined
        if (written.length > 0) output.log(written.join("\n"))
      }
      const logger = Logger.make((entry) => {
        lines.push(lineOf(entry))
        flushing ??= setImmediate(flush)
      })
      yield* Effect.acquireRelease(
        Effect.sync(() => process.on("exit", flush)),
        () =>
          Effect.sync(() => {
            process.off("exit", flush)
            if (flushing !== undefined) clearImmediate(flushing)
            flush()
          })
      )
      return Logger.layer([logger])
    })
  )

export const layer = Layer.suspend(() => layerTo(process.stdout))
