import "./token.css"

const longest = 24
const maxTitleLength = 120

/** Characters without a shape, and those that change the direction of the text around them. */
const unshown = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu

const toEscape = (character: string): string => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`

/** Text that a contract chose, with every character visible, and cut to this many. */
export const toVisible = (text: string, max = longest): string => {
  // A name may have megabytes.
  const visible = Array.from(text.slice(0, max * 2).replace(unshown, toEscape))
  return visible.length > max || text.length > max * 2 ? `${visible.slice(0, max - 1).join("")}…` : visible.join("")
}

export interface NamedToken {
  readonly id: string
  readonly symbol: string
  readonly name?: string
}

/** The symbol of a token, or the beginning of its address if it has none. */
export const toSymbol = ({ id, symbol }: NamedToken): string => toVisible(symbol.trim()) || toVisible(id, 11)

/** The name and the address of a token. */
export const toTitle = ({ id, name = "" }: NamedToken): string => `${toVisible(name, maxTitleLength)}, ${id}`

/** The symbol of a token, whose direction and width leave the text around it in place. */
export const TokenName = ({ token }: { readonly token: NamedToken }) => <bdi className="name">{toSymbol(token)}</bdi>
