import type { Where } from "./PinnedReads.ts"

/** Whole values, letter case ignored. */
export const isSameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const isAsciiLetter = (character: string): boolean => /^[A-Za-z]$/.test(character)

/** ASCII, or of one case only: everywhere agreed to be the same in any letter case. */
const isPlain = (character: string): boolean =>
  character.charCodeAt(0) < 128 || (character.toLowerCase() === character && character.toUpperCase() === character)

// What a list of values may hold: more letters than these are selective enough for a search.
const mostLetters = 8

const spellings = (characters: ReadonlyArray<string>): ReadonlyArray<string> =>
  characters.reduce<ReadonlyArray<string>>(
    (begun, character) =>
      isAsciiLetter(character)
        ? begun.flatMap((text) => [text + character.toLowerCase(), text + character.toUpperCase()])
        : begun.map((text) => text + character),
    [""]
  )

/**
 * The longest part of a text that a subgraph finds wherever the text stands in another letter case; it may be empty.
 * Subgraphs ignore the case of ASCII letters only, and take the backslash for an escape. "%" and "_" find too much,
 * which does no harm: what is found is compared again.
 */
const searchable = (characters: ReadonlyArray<string>): string => {
  let longest = ""
  let part = ""
  for (const character of characters) {
    part = isPlain(character) && character !== "\\" ? part + character : ""
    if (part.length > longest.length) longest = part
  }
  return longest
}

/** Whatever equals the text is among what the filter finds; where it is `exact`, nothing else is. */
export interface TextFilter {
  readonly where: Where
  readonly isExact: boolean
}

/** Short texts are asked for in each of their spellings, which an index finds; longer ones are searched for. */
export const textFilter = (field: string, text: string, hasFilter: (filter: string) => boolean): TextFilter => {
  const characters = [...text]
  if (characters.every(isPlain) && characters.filter(isAsciiLetter).length <= mostLetters) {
    return { where: { [`${field}_in`]: spellings(characters) }, isExact: true }
  }
  const part = searchable(characters)
  const filter = `${field}_contains_nocase`
  return { where: part !== "" && hasFilter(filter) ? { [filter]: part } : {}, isExact: false }
}
