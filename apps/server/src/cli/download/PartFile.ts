import { Effect, FileSystem, Option, Schema } from "effect"
import type { PlatformError } from "effect/PlatformError"
import { holdLock } from "../../internal/files/holdLock.ts"
import { isDiskFull } from "../../internal/files/isDiskFull.ts"
import { replaceFile } from "../../internal/files/replaceFile.ts"
import { toMessage } from "../../internal/toMessage.ts"
import type { CommandError } from "../terminal/CommandError.ts"
import { toFailure } from "../terminal/CommandError.ts"
import type { DownloadRequest } from "./DownloadRequest.ts"
import { toContent } from "./DownloadRequest.ts"
import { getContainer, getHead } from "./FileFormat.ts"
import type { Output } from "./Output.ts"
import { atStart } from "./Output.ts"
import { isSameRequest, partStateText, toRequest } from "./PartState.ts"
import type { PartState } from "./PartState.ts"
import { toParquet } from "./ToParquet.ts"

const encoder = new TextEncoder()

const encodeState = Schema.encodeSync(partStateText)

const getReason = (error: PlatformError): string => {
  const { message, reason } = error
  if (reason._tag === "NotFound") return "its folder does not exist"
  if (reason._tag === "PermissionDenied") return "this user may not"
  // The message of an unknown error names only the call.
  return isDiskFull(error) ? "the disk is full" : toMessage(reason.cause ?? message)
}

const withFailureText =
  (file: string) =>
  <A, R>(effect: Effect.Effect<A, CommandError | PlatformError, R>): Effect.Effect<A, CommandError, R> =>
    Effect.mapError(effect, (error) =>
      error._tag === "CommandError" ? error : toFailure(`The file "${file}" cannot be written: ${getReason(error)}.`)
    )

const refuseExisting = Effect.fnUntraced(function* (file: string, force: boolean) {
  const files = yield* FileSystem.FileSystem
  if (!(yield* files.exists(file))) return
  if ((yield* files.stat(file)).type === "Directory") {
    return yield* toFailure(`"${file}" is a folder, which is never replaced: give another --out.`)
  }
  if (!force) return yield* toFailure(`The file "${file}" exists: give --force to replace it, or another --out.`)
})

/** Excludes other commands from a part file until the scope ends. */
const lockPart = Effect.fnUntraced(function* (part: string) {
  const files = yield* FileSystem.FileSystem
  const path = `${part}.lock`
  // Fails with a reason that names what is wrong with the folder.
  yield* Effect.scoped(files.open(path, { flag: "a" }))
  const isHeld = yield* holdLock(path).pipe(
    Effect.mapError((reason) => toFailure(`The file "${path}" cannot be written: ${reason}.`))
  )
  if (!isHeld) {
    return yield* toFailure(`Another command writes "${part}": wait until it has ended, or give another --out.`)
  }
})

/** The state of an earlier run, if it exists and is intact. */
const readEarlierState = Effect.fnUntraced(function* (part: string) {
  const files = yield* FileSystem.FileSystem
  if (!(yield* files.exists(part))) return Option.none<PartState>()
  const unusable = toFailure(
    `The file "${part}" is not a part of a download that can be continued: remove it to start again, or give another --out.`
  )
  const text = yield* files.readFileString(`${part}.json`).pipe(Effect.mapError(() => unusable))
  const state = yield* Schema.decodeUnknownEffect(partStateText)(text).pipe(Effect.mapError(() => unusable))
  const { size } = yield* files.stat(part)
  return size < BigInt(state.bytes) ? yield* unusable : Option.some(state)
})

const readStateToContinue = Effect.fnUntraced(function* (
  request: DownloadRequest,
  service: string,
  part: string,
  range: Output["range"]
) {
  const earlier = yield* readEarlierState(part)
  if (Option.isNone(earlier)) return Option.none<PartState>()
  if (!isSameRequest(earlier.value, request, service, range)) {
    const of = earlier.value.service === service ? "" : `It is of the service at ${earlier.value.service}. `
    return yield* toFailure(
      `"${part}" is an unfinished download of another request: ${toRequest(earlier.value)}. ${of}` +
        "Repeat that command to finish it, remove the file, or give another --out."
    )
  }
  // The latest rows have changed, and if nothing was read, relative times are resolved again.
  const isWorthIt = request.range._tag === "Between" && earlier.value.reached.rows > 0
  return isWorthIt ? earlier : Option.none<PartState>()
})

/**
 * A file that is written as FILE.part, page by page, and renamed when it is complete; a Parquet file is made of it then. FILE.part.json stores the
 * progress. A part file of the same request to the same `service` is truncated to its last complete page and continued.
 */
export const partFile = Effect.fn("PartFile.open")(
  function* (request: DownloadRequest, service: string, file: string, range: Output["range"]) {
    const files = yield* FileSystem.FileSystem
    const part = `${file}.part`
    const { columns } = request.subject.shape
    yield* refuseExisting(file, request.force)
    yield* lockPart(part)
    const earlier = yield* readStateToContinue(request, service, part, range)
    let state: PartState = Option.getOrElse(earlier, () => {
      const { asked, format, subject } = request
      return { version: 3, service, content: toContent(subject), format, asked, ...range, bytes: 0, reached: atStart }
    })
    const keep = Effect.fnUntraced(function* (next: PartState) {
      yield* replaceFile(`${part}.json`, encodeState(next))
      state = next
    })
    if (Option.isNone(earlier)) yield* keep(state)
    const handle = yield* files.open(part, { flag: "a" })
    yield* handle.truncate(state.bytes)

    const append = Effect.fnUntraced(function* (lines: string, reached: Output["reached"]) {
      const bytes = encoder.encode((state.bytes === 0 ? getHead(request.format, columns) : "") + lines)
      yield* handle.writeAll(bytes)
      yield* handle.sync
      yield* keep({ ...state, bytes: state.bytes + bytes.length, reached })
    }, Effect.uninterruptible)

    const swap = Effect.fnUntraced(function* (complete: string) {
      yield* refuseExisting(file, request.force)
      yield* files.rename(complete, file)
      if (complete !== part) yield* files.remove(part)
      yield* files.remove(`${part}.json`)
    }, Effect.uninterruptible)

    const finish = Effect.gen(function* () {
      if (getContainer(request.format) === "text") {
        if (state.bytes === 0) yield* append("", state.reached)
        return yield* swap(part)
      }
      const complete = `${part}.parquet`
      yield* toParquet(part, complete, columns, toContent(request.subject)).pipe(
        Effect.andThen(swap(complete)),
        Effect.onError(() => Effect.ignore(files.remove(complete)))
      )
    })

    const abandon = Effect.suspend(() =>
      state.reached.rows > 0
        ? Effect.void
        : Effect.andThen(files.remove(part, { force: true }), files.remove(`${part}.json`, { force: true }))
    )

    const context = Effect.provideService(FileSystem.FileSystem, files)
    return {
      reached: state.reached,
      range: { since: state.since, until: state.until },
      append: (lines, reached) => append(lines, reached).pipe(context, withFailureText(part)),
      finish: finish.pipe(context, withFailureText(file)),
      reachedNow: Effect.sync(() => state.reached),
      // The remaining file is empty.
      abandon: Effect.ignore(abandon)
    } satisfies Output
  },
  (effect, _request, _service, file) => withFailureText(`${file}.part`)(effect)
)
