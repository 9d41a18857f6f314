import { Schema } from "effect"
import { IndexStatus } from "../sources/IndexStatuses.ts"
import { InstanceStatus } from "../sources/Instance.ts"
import { RecordingStatus } from "../sources/RecordingStatuses.ts"
import { SourceState } from "../sources/SourceHealth.ts"
import { RetentionStatus } from "../sources/TapeRetention.ts"

/** The status of the service. */
export const Status = Schema.Struct({
  /** Unix milliseconds. */
  startedAt: Schema.Int,
  now: Schema.Int,
  ready: Schema.Boolean,
  /** The responding instance. All else is about the whole service, whichever instance does the work. */
  instance: InstanceStatus,
  sources: Schema.Array(SourceState),
  indexes: Schema.Array(IndexStatus),
  recordings: Schema.Array(RecordingStatus),
  /** Null if all recorded trades are retained. */
  retention: Schema.NullOr(RetentionStatus)
})

export type Status = typeof Status.Type
