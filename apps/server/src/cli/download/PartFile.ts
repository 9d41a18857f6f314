import { Effect, FileSystem, Option, Ref, Schema } from "effect"
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
import { hasSameColumns, isSameRequest, partStateText, toColumnNames, toRequest } from "./PartState.ts"
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
  if (!hasSameColumns(earlier.value, request.subject)) {
    return yield* toFailure(
      `"${part}" has the columns ${earlier.value.columns.join(", ")}, but this command writes ` +
        `${toColumnNames(request.subject).join(", ")}: remove the file to start again, or give another --out.`
    )
  }
  // The latest rows have changed, and if nothing was read, relative times are resolved again.
  const isWorthIt = request.range._tag === "Between" && earlier.value.reached.rows > 0
  return isWorthIt ? earlier : Option.none<PartState>()
})

/** An open part file. */
interface OpenPart {
  readonly request: DownloadRequest
  /** The file that it becomes. */
  readonly file: string
  readonly part: string
  readonly handle: FileSystem.File
  readonly state: Ref.Ref<PartState>
}

const writeState = (part: string, state: PartState) => replaceFile(`${part}.json`, encodeState(state))

/** Opens the part file of a request: its earlier one, truncated to the last complete page, or a new one. */
const openPart = Effect.fnUntraced(function* (
  request: DownloadRequest,
  service: string,
  file: string,
  range: Output["range"]
) {
  const files = yield* FileSystem.FileSystem
  const part = `${file}.part`
  yield* refuseExisting(file, request.force)
  yield* lockPart(part)
  const earlier = yield* readStateToContinue(request, service, part, range)
  const state: PartState = Option.getOrElse(earlier, () => {
    const { asked, format, subject } = request
    const columns = toColumnNames(subject)
    return {
      version: 4,
      service,
      content: toContent(subject),
      columns,
      format,
      asked,
      ...range,
      bytes: 0,
      reached: atStart
    }
  })
  if (Option.isNone(earlier)) yield* writeState(part, state)
  const handle = yield* files.open(part, { flag: "a" })
  yield* handle.truncate(state.bytes)
  return { request, file, part, handle, state: yield* Ref.make(state) } satisfies OpenPart
})

const append = Effect.fnUntraced(function* (
  { handle, part, request, state }: OpenPart,
  lines: string,
  reached: Output["reached"]
) {
  const before = yield* Ref.get(state)
  const head = before.bytes === 0 ? getHead(request.format, request.subject.shape.columns) : ""
  const bytes = encoder.encode(head + lines)
  yield* handle.writeAll(bytes)
  yield* handle.sync
  const after = { ...before, bytes: before.bytes + bytes.length, reached }
  yield* writeState(part, after)
  yield* Ref.set(state, after)
}, Effect.uninterruptible)

/** Renames a complete file, and removes the rest of the part. */
const swap = Effect.fnUntraced(function* ({ file, part, request }: OpenPart, complete: string) {
  const files = yield* FileSystem.FileSystem
  yield* refuseExisting(file, request.force)
  yield* files.rename(complete, file)
  if (complete !== part) yield* files.remove(part)
  yield* files.remove(`${part}.json`)
}, Effect.uninterruptible)

const finish = Effect.fnUntraced(function* (open: OpenPart) {
  const { part, request, state } = open
  if (getContainer(request.format) === "text") {
    const { bytes, reached } = yield* Ref.get(state)
    if (bytes === 0) yield* append(open, "", reached)
    return yield* swap(open, part)
  }
  const files = yield* FileSystem.FileSystem
  const complete = `${part}.parquet`
  yield* toParquet(part, complete, request.subject.shape.columns, toContent(request.subject)).pipe(
    Effect.andThen(swap(open, complete)),
    Effect.onError(() => Effect.ignore(files.remove(complete)))
  )
})

/** Removes a part without rows. */
const abandon = Effect.fnUntraced(function* ({ part, state }: OpenPart) {
  if ((yield* Ref.get(state)).reached.rows > 0) return
  const files = yield* FileSystem.FileSystem
  yield* files.remove(part, { force: true })
  yield* files.remove(`${part}.json`, { force: true })
})

/**
 * A file that is written as FILE.part, page by page, and renamed when it is complete; a Parquet file is made of it then. FILE.part.json stores the
 * progress. A part file of the same request to the same `service` is truncated to its last complete page and continued.
 */
export const partFile = Effect.fn("PartFile.open")(
  function* (request: DownloadRequest, service: string, file: string, range: Output["range"]) {
    const open = yield* openPart(request, service, file, range)
    const { part, state } = open
    const { reached, since, until } = yield* Ref.get(state)
    const context = Effect.provideService(FileSystem.FileSystem, yield* FileSystem.FileSystem)
    return {
      reached,
      range: { since, until },
      append: (lines, now) => append(open, lines, now).pipe(context, withFailureText(part)),
      finish: finish(open).pipe(context, withFailureText(file)),
      reachedNow: Effect.map(Ref.get(state), ({ reached }) => reached),
      // The remaining file is empty.
      abandon: abandon(open).pipe(context, Effect.ignore)
    } satisfies Output
  },
  (effect, _request, _service, file) => withFailureText(`${file}.part`)(effect)
)
