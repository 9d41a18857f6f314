import { Effect, FileSystem } from "effect"

const encoder = new TextEncoder()

/** Replaces a file atomically: after a crash it is the old one or the new one. */
export const replaceFile = Effect.fnUntraced(function* (path: string, text: string) {
  const files = yield* FileSystem.FileSystem
  yield* Effect.scoped(
    Effect.gen(function* () {
      const handle = yield* files.open(`${path}.new`, { flag: "w" })
      yield* handle.writeAll(encoder.encode(text))
      yield* handle.sync
    })
  )
  yield* files.rename(`${path}.new`, path)
})
