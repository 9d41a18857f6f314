import { Console } from "node:console"
import { clearImmediate, setImmediate } from "node:timers"
import { Effect, Layer, Logger } from "effect"
import { toOneLine } from "../internal/log/oneLine.ts"

type Entry = Parameters<typeof Logger.formatStructured.log>[0]

const isPlain = (value: unknown): boolean =>
  typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))

/** JSON leaves these as they are, and a terminal obeys them. */
const unescaped = /[\u007f-\u009f\p{Bidi_Control}\p{Zl}\p{Zp}]/u

/** One line of JSON, which holds no character that a terminal obeys. Entries of plain values only are not searched for secrets and cycles. */
export const getLine = (entry: Entry): string => {
  const structured = Logger.formatStructured.log(entry)
  const { annotations, message } = structured
  const line =
    isPlain(message) && Object.values(annotations).every(isPlain)
      ? JSON.stringify(structured)
      : Logger.formatJson.log(entry)
  return unescaped.test(line) ? toOneLine(line) : line
}

/**
 * Writes each entry as a line of JSON. Entries of one turn of the event loop share a write, because writing costs more
 * than formatting.
 */
export const layerTo = (stream: NodeJS.WritableStream) =>
  Layer.unwrap(
    Effect.gen(function* () {
      // The error of a closed reader is handled here; the stream itself would emit it as an exception.
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
        lines.push(getLine(entry))
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
