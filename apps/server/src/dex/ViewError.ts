import { NotReady } from "@chaintape/core"
import type { UpstreamBusy, UpstreamFailed, UpstreamTimeout } from "@chaintape/core"
import { Data, Effect } from "effect"
import { toProblem } from "../sources/SourceFailure.ts"
import type { DexSourceError } from "./DexSource.ts"

/** A reorg between two reads removed the state of the view: another view has the new one. */
export class ViewReorgedError extends Data.TaggedError("ViewReorgedError")<{
  /** As in `DexSourceError`. */
  readonly source: string
  /** A sentence for the caller. */
  readonly message: string
}> {}

/** The problems of a source that callers of the service see. */
export type SourceProblem = UpstreamFailed | UpstreamBusy | UpstreamTimeout | NotReady

/** The failure of a read of a view: a problem, or a reason to open another view. */
export type ViewError = SourceProblem | ViewReorgedError

/** Maps a failure of the source to one of a view. */
export const toViewError = (error: DexSourceError): ViewError => {
  const { message, reason, retryAfterMs, source } = error
  if (reason === "NotReady") return new NotReady({ retryAfterMs: retryAfterMs ?? 1000, detail: message })
  if (reason === "Reorged") return new ViewReorgedError({ source, message })
  return toProblem(source, { reason, message, retryAfterMs })
}

const failAsBusy = ({ message, source }: ViewReorgedError) =>
  Effect.fail(toProblem(source, { reason: "Busy", message }))

const isReorged = (error: unknown): error is ViewReorgedError => error instanceof ViewReorgedError

/** Repeats a read that opens its own view. To the caller, a source that a reorg interrupts each time is busy. */
export const retryOnReorg = <A, E, R>(read: Effect.Effect<A, E | ViewReorgedError, R>) =>
  read.pipe(Effect.retry({ times: 3, while: isReorged }), Effect.catchIf(isReorged, failAsBusy))
