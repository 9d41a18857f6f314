/**
 * Text of a contract can hold U+0000, which PostgreSQL does not store. It is kept as U+0001 U+0001, and U+0001 as U+0001
 * U+0002: this loses nothing and leaves the order by code point as it is. Half a surrogate pair is no text in UTF-8 and
 * becomes U+FFFD.
 */
export const stored = (text: string): string =>
  text.toWellFormed().replaceAll("\u0001", "\u0001\u0002").replaceAll("\u0000", "\u0001\u0001")

export const restored = (text: string): string =>
  text.includes("\u0001") ? text.replaceAll("\u0001\u0001", "\u0000").replaceAll("\u0001\u0002", "\u0001") : text

/** What texts that differ in letter case only have in common. Made here, because servers differ in it. */
export const searchKey = (text: string): string => stored(text.toLowerCase())
