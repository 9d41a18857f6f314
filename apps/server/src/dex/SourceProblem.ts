import { NotReady, type UpstreamBusy, type UpstreamFailed, type UpstreamTimeout } from "@chaintape/core"
import { Data, Effect } from "effect"
import { toProblem } from "../sources/SourceFailure.ts"
import type { DexSourceError } from "./DexSource.ts"

/** A reorg between two reads removed the state of the view: another view has the new one. */
export class ViewReorged extends Data.TaggedError("ViewReorged")<{
  /** A sentence for the caller. */
  readonly message: string
}> {}

export type SourceProblem = UpstreamFailed | UpstreamBusy | UpstreamTimeout | NotReady | ViewReorged

/** Maps a failure of the source to a problem. */
export const toSourceProblem = (error: DexSourceError): SourceProblem => {
  const { message, reason, retryAfterMs, source } = error
  if (reason === "NotReady" || reason === "StoreAway")
    return new NotReady({ retryAfterMs: retryAfterMs ?? 1000, detail: message })
  if (reason === "Reorged") return new ViewReorged({ message })
  return toProblem(source, { reason, message, retryAfterMs })
}

/** For a caller whose retries are over. */
export const toBusy = ({
  message
}: ViewReorged): Effect.Effect<never, UpstreamFailed | UpstreamBusy | UpstreamTimeout> =>
  Effect.fail(toProblem("index", { reason: "Busy", message }))
