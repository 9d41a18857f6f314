/** Controls, halves of characters, and characters that change the direction of text or end a line. */
const hiddenCharacters = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

/** Text on one line: characters that a terminal or a page obeys, instead of showing them, are written as escapes. */
export const toOneLine = (text: string): string =>
  text.replace(hiddenCharacters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
