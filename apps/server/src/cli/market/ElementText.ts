import type { Row, Shape } from "../download/Row.ts"
import { toRow } from "../download/Row.ts"

const member = /\s*"(\w+)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(-?\d[\d.eE+-]*))\s*([,}])/y
const separator = /\s*([,\]])\s*/y

const unescape = (text: string): string => (text.includes("\\") ? String(JSON.parse(`"${text}"`)) : text)

const matchAt = (pattern: RegExp, text: string, position: number): RegExpExecArray | null => {
  pattern.lastIndex = position
  return pattern.exec(text)
}

const element = (shape: Shape, body: string, start: number): readonly [Row, number] | undefined => {
  const values = new Map<string, string>()
  let position = start + 1
  let mark = ","
  while (mark === ",") {
    const found = matchAt(member, body, position)
    if (found === null) return undefined
    const [, name = "", text, number, end = ""] = found
    values.set(name, text === undefined ? (number ?? "") : unescape(text))
    position = member.lastIndex
    mark = end
  }
  const row = toRow(shape, body.slice(start, position), (name) => values.get(name))
  return row === undefined ? undefined : [row, position]
}

/**
 * The rows in the text of a response that its schema has accepted. Parsed numbers are doubles, which cannot represent
 * every decimal: the digits are taken from the text. `undefined` if the text has another shape.
 */
export const elementTexts = (shape: Shape, body: string): ReadonlyArray<Row> | undefined => {
  const list = new RegExp(`"${shape.list}"\\s*:\\s*\\[\\s*`, "g")
  if (matchAt(list, body, 0) === null) return undefined
  let position = list.lastIndex
  const rows: Array<Row> = []
  if (body[position] === "]") return rows
  while (body[position] === "{") {
    const found = element(shape, body, position)
    if (found === undefined) return undefined
    rows.push(found[0])
    const mark = matchAt(separator, body, found[1])
    if (mark === null) return undefined
    if (mark[1] === "]") return rows
    position = separator.lastIndex
  }
  return undefined
}
