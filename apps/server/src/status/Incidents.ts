import { Context, Effect } from "effect"
import type { StoreError } from "../internal/StoreError.ts"

/** An event of a recording or an index, as the store has it. */
export interface Incident {
  /** Unix milliseconds. */
  readonly at: number
  /** The market or the index. */
  readonly subject: string
  /** One word, such as `gap` or `reorg`. */
  readonly kind: string
  readonly detail: string
}

export interface IncidentReader {
  /** The newest `limit`, newest first. */
  readonly newest: (limit: number) => Effect.Effect<ReadonlyArray<Incident>, StoreError>
}

const none: IncidentReader = { newest: () => Effect.succeed([]) }

/** The incidents of the recordings. None by default. */
export const RecordingIncidents = Context.Reference<IncidentReader>("@chaintape/server/status/RecordingIncidents", {
  defaultValue: () => none
})

/** The incidents of the indexes. None by default. */
export const IndexIncidents = Context.Reference<IncidentReader>("@chaintape/server/status/IndexIncidents", {
  defaultValue: () => none
})
