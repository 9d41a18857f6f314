import { NotReady, type UpstreamBusy, type UpstreamFailed, type UpstreamTimeout } from "@chaintape/core"
import { Data, Effect } from "effect"
import { toProblem } from "../sources/SourceFailure.ts"
import type { DexSourceError } from "./DexSource.ts"

/** A reorg between two reads removed the state of the view: another view has the new one. */
export class ViewReorged extends Data.TaggedError("ViewReorged")<{
  /** As in `DexSourceError`. */
  readonly source: string
  /** A sentence for the caller. */
  readonly message: string
}> {}

/** The problems of a source that callers of the service see. */
export type SourceProblem = UpstreamFailed | UpstreamBusy | UpstreamTimeout | NotReady

/** The failure of a read of a view: a problem, or a reason to open another view. */
export type ViewError = SourceProblem | ViewReorged

/** Maps a failure of the source to one of a view. */
export const toViewError = (error: DexSourceError): ViewError => {
  const { message, reason, retryAfterMs, source } = error
  if (reason === "NotReady" || reason === "StoreAway")
    return new NotReady({ retryAfterMs: retryAfterMs ?? 1000, detail: message })
  if (reason === "Reorged") return new ViewReorged({ source, message })
  return toProblem(source, { reason, message, retryAfterMs })
}

/** For a caller whose retries are over. */
export const failAsBusy = ({
  message,
  source
}: ViewReorged): Effect.Effect<never, UpstreamFailed | UpstreamBusy | UpstreamTimeout> =>
  Effect.fail(toProblem(source, { reason: "Busy", message }))
