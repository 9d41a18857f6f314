import type { Row, Rows } from "./DeploymentReads.ts"

export type Entity = "totals" | "token" | "pool" | "trade"

/** A field that the two sides state differently. */
export interface Difference {
  readonly entity: Entity
  readonly id: string
  /** Empty if one side lacks the row, or the service has it more than once. */
  readonly field: string
  /** Whether the service has the row more than once. */
  readonly isRepeated?: true
  /** Undefined if the row or the field is absent. */
  readonly service: string | undefined
  readonly own: string | undefined
}

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null

/** The fields of a row by name, those of nested rows as `token0.symbol`. */
const toFields = (row: Row, prefix = ""): ReadonlyArray<readonly [name: string, value: string]> =>
  Object.entries(row).flatMap(([name, value]) =>
    isRow(value) ? toFields(value, `${prefix}${name}.`) : [[`${prefix}${name}`, String(value)] as const]
  )

const compareRow = (entity: Entity, id: string, service: Row, own: Row, isCompared: (field: string) => boolean) => {
  const stated = new Map(toFields(service))
  const found = new Map(toFields(own))
  return [...new Set([...found.keys(), ...stated.keys()])]
    .filter((field) => isCompared(field) && found.get(field) !== stated.get(field))
    .map((field): Difference => ({ entity, id, field, service: stated.get(field), own: found.get(field) }))
}

const byId = (rows: Rows) => new Map(rows.map((row) => [String(row["id"]), row]))

/** The rows that the service has more than once, as in a list whose pages overlap. */
const findRepeated = (entity: Entity, service: Rows): ReadonlyArray<Difference> =>
  [...Map.groupBy(service, ({ id }) => String(id))].flatMap(([id, rows]) =>
    rows.length > 1 ? [{ entity, id, field: "", isRepeated: true, service: "present", own: undefined }] : []
  )

/** Compares rows by id, field by field. */
export const compareRows = (
  entity: Entity,
  service: Rows,
  own: Rows,
  isCompared: (field: string) => boolean = () => true
): ReadonlyArray<Difference> => {
  const stated = byId(service)
  const found = byId(own)
  const differences = [...new Set([...found.keys(), ...stated.keys()])].flatMap((id) => {
    const [theirs, ours] = [stated.get(id), found.get(id)]
    if (theirs !== undefined && ours !== undefined) return compareRow(entity, id, theirs, ours, isCompared)
    return [{ entity, id, field: "", service: theirs && "present", own: ours && "present" }]
  })
  return [...findRepeated(entity, service), ...differences]
}

const toName = ({ entity, id }: Difference): string => (entity === "totals" ? "the totals" : `${entity} ${id}`)

/** The difference as the end of a sentence. */
export const describeDifference = (difference: Difference): string => {
  const { field, isRepeated, own, service } = difference
  const name = toName(difference)
  if (field !== "")
    return `${field} of ${name} is ${service ?? "absent"} on the service, and ${own ?? "absent"} by the receipts`
  if (isRepeated === true) return `the service has ${name} more than once`
  return service === undefined
    ? `the service lacks ${name}`
    : `the service has ${name}, of which the receipts have no log`
}
