/** A column of a file. */
export interface Column {
  readonly name: string
  /** The member of an element of the response. */
  readonly member: string
  /** `text` is of an exchange or a chain; `milliseconds` and `seconds` are times since 1970. */
  readonly type: "text" | "decimal" | "milliseconds" | "seconds"
}

const toColumn =
  (type: Column["type"]) =>
  (member: string): Column => ({ name: member, member, type })

/** Columns of text with the names of their members. */
export const textColumns = (...members: ReadonlyArray<string>): ReadonlyArray<Column> => members.map(toColumn("text"))

/** Columns of decimals with the names of their members. */
export const decimalColumns = (...members: ReadonlyArray<string>): ReadonlyArray<Column> =>
  members.map(toColumn("decimal"))

/** The rows of a response, and how they are written. */
export interface Shape {
  /** The member of the response that holds the rows. */
  readonly list: string
  readonly columns: ReadonlyArray<Column>
  /** The member that identifies a row among those of the same time. */
  readonly id: string
}

/** One element of a response, with all of its digits. */
export interface Row {
  /** The JSON object, including its braces. */
  readonly json: string
  readonly id: string
  /** Unix milliseconds. */
  readonly time: number
  /** In the order of the columns; times are in milliseconds. */
  readonly values: ReadonlyArray<string>
}

export const isTime = ({ type }: Column): boolean => type === "milliseconds" || type === "seconds"

/** The row of an element; undefined if it lacks a member. */
export const toRow = (
  { columns, id: idMember }: Shape,
  json: string,
  get: (member: string) => string | undefined
): Row | undefined => {
  const id = get(idMember)
  if (id === undefined) return undefined
  const values: Array<string> = []
  let time = 0
  for (const { member, type } of columns) {
    const value = get(member)
    if (value === undefined) return undefined
    if (type === "milliseconds" || type === "seconds") {
      time = Number(value) * (type === "seconds" ? 1000 : 1)
      values.push(String(time))
    } else values.push(value)
  }
  return { json, id, time, values }
}
