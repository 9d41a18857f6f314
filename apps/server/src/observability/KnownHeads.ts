import type { IndexStatus } from "../sources/IndexStatuses.ts"
import type { SourceState } from "../sources/SourceHealth.ts"

const isAbout = ({ id, kind }: SourceState, { key }: IndexStatus): boolean =>
  kind === "dex" ? key === id : kind === "blockchain" && key.endsWith(`/${id}`)

/** The sources, each with the newest block seen by a request or an index. */
export const withKnownHeads = (
  sources: ReadonlyArray<SourceState>,
  indexes: ReadonlyArray<IndexStatus>
): ReadonlyArray<SourceState> =>
  sources.map((source) => {
    const followed = indexes.filter((index) => isAbout(source, index))
    // A node that lags behind may report an older block than those already indexed.
    const heads = [source.head, ...followed.flatMap(({ head, indexed }) => [head, indexed])].filter(
      (one) => one !== null
    )
    return { ...source, head: heads.length === 0 ? null : Math.max(...heads) }
  })
