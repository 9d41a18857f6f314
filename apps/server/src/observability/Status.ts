import { Schema } from "effect"
import { SourceState } from "../sources/SourceHealth.ts"
import { IndexStatus } from "../status/IndexStatuses.ts"
import { InstanceStatus } from "../status/Instance.ts"
import { RecordingStatus } from "../status/RecordingStatuses.ts"
import { RetentionStatus } from "../status/TapeRetention.ts"

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

const isAbout = ({ id, kind }: SourceState, { key }: IndexStatus): boolean =>
  kind === "dex" ? key === id : kind === "blockchain" && key.endsWith(`/${id}`)

/** The sources, each with the newest block seen by a request or an index; an indexed dex with that of its index. */
export const withKnownHeads = (
  sources: ReadonlyArray<SourceState>,
  indexes: ReadonlyArray<IndexStatus>
): ReadonlyArray<SourceState> =>
  sources.map((source) => {
    const ofIndexes = indexes
      .filter((index) => isAbout(source, index))
      .flatMap(({ head, indexed }) => [head, indexed])
      .filter((one) => one !== null)
    // Requests of an indexed dex read its index. A block above those of its status may be of a chain that is gone.
    const isIndexed = source.kind === "dex" && ofIndexes.length > 0
    // A node that lags behind may report an older block than those already indexed.
    const heads = source.head === null || isIndexed ? ofIndexes : [source.head, ...ofIndexes]
    return { ...source, head: heads.length === 0 ? null : Math.max(...heads) }
  })

/** The indexes that are not at the head of their chain, with their errors, as sentences; undefined if there is none. */
export const describeLateIndexes = (indexes: ReadonlyArray<IndexStatus>): string | undefined => {
  const late = indexes.filter(({ state }) => state !== "realtime")
  if (late.length === 0) return undefined
  const names = late.map(
    ({ indexed, head, key, state }) => `${key} (${state}, block ${indexed ?? "none"} of ${head ?? "unknown"})`
  )
  const errors = late.flatMap(({ key, lastError }) => (lastError === null ? [] : [` Index ${key}: ${lastError}`]))
  return `These indexes are not at the head of their chain: ${names.join(", ")}.${errors.join("")}`
}
