/** Characters that a terminal obeys instead of showing them. */
const obeyed = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu

/** Sentences for a terminal: characters in names from a service, a chain or an exchange are shown, never obeyed. */
export const printable = (text: string): string =>
  text.replace(obeyed, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
