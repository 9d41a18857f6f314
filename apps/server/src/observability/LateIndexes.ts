import type { IndexStatus } from "../sources/IndexStatuses.ts"

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
