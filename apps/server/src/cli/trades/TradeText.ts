/** One trade of a response, with all of its digits. */
export interface TradeText {
  /** The whole JSON object, including its braces. */
  readonly json: string
  readonly id: string
  /** Unix milliseconds. */
  readonly timestamp: number
  readonly price: string
  readonly size: string
  readonly cost: string
  readonly side: string
}

const list = /"trades"\s*:\s*\[\s*/g
const member = /\s*"(\w+)"\s*:\s*(?:"((?:[^"\\]|\\.)*)"|(-?\d[\d.eE+-]*))\s*([,}])/y
const separator = /\s*([,\]])\s*/y

const unescaped = (text: string): string => (text.includes("\\") ? String(JSON.parse(`"${text}"`)) : text)

const at = (pattern: RegExp, text: string, position: number): RegExpExecArray | null => {
  pattern.lastIndex = position
  return pattern.exec(text)
}

const element = (body: string, start: number): readonly [TradeText, number] | undefined => {
  const values = new Map<string, string>()
  let position = start + 1
  let mark = ","
  while (mark === ",") {
    const found = at(member, body, position)
    if (found === null) return undefined
    const [, name = "", text, number, end = ""] = found
    values.set(name, text === undefined ? (number ?? "") : unescaped(text))
    position = member.lastIndex
    mark = end
  }
  const [id, timestamp, price, size, cost, side] = ["id", "timestamp", "price", "size", "cost", "side"].map((name) =>
    values.get(name)
  )
  if (id === undefined || timestamp === undefined || price === undefined) return undefined
  if (size === undefined || cost === undefined || side === undefined) return undefined
  const json = body.slice(start, position)
  return [{ json, id, timestamp: Number(timestamp), price, size, cost, side }, position]
}

/**
 * The trades in the text of a response that its schema has accepted. Parsed numbers are doubles, which cannot represent
 * every decimal: the digits are taken from the text. `undefined` if the text has another shape.
 */
export const tradeTexts = (body: string): ReadonlyArray<TradeText> | undefined => {
  if (at(list, body, 0) === null) return undefined
  let position = list.lastIndex
  const trades: Array<TradeText> = []
  if (body[position] === "]") return trades
  while (body[position] === "{") {
    const found = element(body, position)
    if (found === undefined) return undefined
    trades.push(found[0])
    const mark = at(separator, body, found[1])
    if (mark === null) return undefined
    if (mark[1] === "]") return trades
    position = separator.lastIndex
  }
  return undefined
}
