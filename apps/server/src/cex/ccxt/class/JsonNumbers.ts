const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

const quote = 0x22
const backslash = 0x5c

/**
 * Quotes every number outside a string in a JSON text, so that a parser preserves all digits. `text` must be valid
 * JSON: quoting can make an invalid text valid (`{1:2}`), so parse the original first.
 */
export const quoteNumbers = (text: string): string => {
  const parts: Array<string> = []
  let copied = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = afterString(text, at)
    } else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      number.lastIndex = at
      const token = number.exec(text)?.[0]
      if (token === undefined) return text
      parts.push(text.slice(copied, at), `"${token}"`)
      at += token.length
      copied = at
    } else {
      at++
    }
  }
  parts.push(text.slice(copied))
  return parts.join("")
}

const afterString = (text: string, start: number): number => {
  let end = text.indexOf('"', start + 1)
  while (end !== -1) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return end + 1
    end = text.indexOf('"', end + 1)
  }
  return text.length
}
