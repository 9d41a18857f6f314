import type { Where } from "./PinnedReads.ts"

/** Whole values, case-insensitive. */
export const isSameText = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const isAsciiLetter = (character: string): boolean => /^[A-Za-z]$/.test(character)

/** ASCII, or caseless: every server agrees on these in any letter case. */
const isPlain = (character: string): boolean =>
  character.charCodeAt(0) < 128 || (character.toLowerCase() === character && character.toUpperCase() === character)

// The maximum length of an `in` list: more letters than that are selective enough for a search.
const maxLetters = 8

const spellings = (characters: ReadonlyArray<string>): ReadonlyArray<string> =>
  characters.reduce<ReadonlyArray<string>>(
    (begun, character) =>
      isAsciiLetter(character)
        ? begun.flatMap((text) => [text + character.toLowerCase(), text + character.toUpperCase()])
        : begun.map((text) => text + character),
    [""]
  )

/**
 * The longest part of a text that a subgraph finds in any letter case; it may be empty. Subgraphs fold ASCII letters
 * only, and treat the backslash as an escape. "%" and "_" match too much, which is harmless: matches are compared
 * again.
 */
const longestSearchable = (characters: ReadonlyArray<string>): string => {
  let longest = ""
  let part = ""
  for (const character of characters) {
    part = isPlain(character) && character !== "\\" ? part + character : ""
    if (part.length > longest.length) longest = part
  }
  return longest
}

/** The filter matches every value equal to the text; if it is `exact`, it matches nothing else. */
export interface TextFilter {
  readonly where: Where
  readonly isExact: boolean
}

/** Short texts are queried in each of their spellings, which uses an index; longer ones are searched for. */
export const textFilter = (field: string, text: string, hasFilter: (filter: string) => boolean): TextFilter => {
  const characters = [...text]
  if (characters.every(isPlain) && characters.filter(isAsciiLetter).length <= maxLetters) {
    return { where: { [`${field}_in`]: spellings(characters) }, isExact: true }
  }
  const part = longestSearchable(characters)
  const filter = `${field}_contains_nocase`
  return { where: part !== "" && hasFilter(filter) ? { [filter]: part } : {}, isExact: false }
}
