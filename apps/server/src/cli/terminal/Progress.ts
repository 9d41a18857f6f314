import { Clock, Context, Effect, Layer, Option, Ref, Schedule, Stdio, Stream, Terminal } from "effect"
import { printable } from "./printable.ts"
import { barLine, plainLine } from "./ProgressLine.ts"
import type { ProgressView } from "./ProgressLine.ts"

/** The width if the terminal does not report one. */
const narrow = 80

const clearLine = "\r\u001b[2K"

/** Shows the progress of a command on standard error: a bar on a terminal, otherwise a line every few seconds. */
export class Progress extends Context.Service<
  Progress,
  {
    readonly begin: (view: Pick<ProgressView, "since" | "until" | "position" | "rows" | "unit">) => Effect.Effect<void>
    /** The newest position read so far. */
    readonly advance: (position: number, rows: number) => Effect.Effect<void>
    /** The position of the first row: the range before it takes no time. */
    readonly found: (oldest: number) => Effect.Effect<void>
    /** Why no rows arrive at the moment; empty when they do again. */
    readonly wait: (reason: string) => Effect.Effect<void>
    /** A message on a line of its own. */
    readonly say: (sentence: string) => Effect.Effect<void>
  }
>()("@chaintape/server/cli/terminal/Progress") {
  static readonly layer = Layer.effect(
    Progress,
    Effect.gen(function* () {
      const stdio = yield* Stdio.Stdio
      const terminal = yield* Terminal.Terminal
      const isTerminal = yield* stdio.stderrIsTerminal
      const view = yield* Ref.make(Option.none<ProgressView>())
      const waiting = yield* Ref.make("")
      const begun = yield* Clock.currentTimeMillis
      // Nothing can be written to a standard error that is closed.
      const write = (text: string) => Stream.make(text).pipe(Stream.run(stdio.stderr()), Effect.ignore)
      const say = (sentence: string) => write(`${isTerminal ? clearLine : ""}${printable(sentence)}\n`)

      const draw = Effect.gen(function* () {
        const current = yield* Ref.get(view)
        if (Option.isNone(current)) return
        const now = yield* Clock.currentTimeMillis
        yield* isTerminal
          ? write(clearLine + barLine(current.value, now, (yield* terminal.columns) || narrow))
          : write(`${plainLine(current.value, now)}\n`)
      })
      const spaced = isTerminal ? "250 millis" : "5 seconds"
      yield* Effect.forkScoped(Effect.delay(Effect.repeat(draw, Schedule.spaced(spaced)), spaced))
      if (isTerminal) yield* Effect.addFinalizer(() => write(clearLine))

      const update = (change: (view: ProgressView) => ProgressView) => Ref.update(view, Option.map(change))

      return Progress.of({
        begin: ({ position, rows, since, unit, until }) =>
          Ref.set(
            view,
            Option.some({ since, until, position, rows, unit, begun: { at: begun, position, rows }, waiting: "" })
          ),
        advance: (position, rows) => update((current) => ({ ...current, position, rows })),
        found: (oldest) =>
          update((current) => ({ ...current, since: oldest, begun: { ...current.begun, position: oldest } })),
        wait: Effect.fnUntraced(function* (reason) {
          const before = yield* Ref.getAndSet(waiting, reason)
          yield* update((current) => ({ ...current, waiting: reason }))
          if (!isTerminal && reason !== "" && reason !== before) yield* say(`Waiting: ${reason}`)
        }),
        say
      })
    })
  )
}
