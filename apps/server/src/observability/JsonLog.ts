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

/** Without a listener the error is an exception: a service would end with the program that reads its log. */
const ignoreEndOfReader = () => {}

/**
 * Writes each entry as a line of JSON. Entries of one turn of the event loop share a write, because writing costs more
 * than formatting.
 */
export const layerTo = (stream: NodeJS.WritableStream) =>
  Layer.unwrap(
    Effect.gen(function* () {
      // The console handles only the errors of some writes, and the banner goes to the same stream.
      if (!stream.listeners("error").includes(ignoreEndOfReader)) stream.on("error", ignoreEndOfReader)
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
