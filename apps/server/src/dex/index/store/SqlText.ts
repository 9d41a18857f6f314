/**
 * Text of a contract can contain U+0000, which PostgreSQL cannot store. It is stored as U+0001 U+0001, and U+0001 as
 * U+0001 U+0002: the mapping is lossless and preserves the order by code point. A lone surrogate is not valid UTF-8 and
 * becomes U+FFFD.
 */
export const stored = (text: string): string =>
  text.toWellFormed().replaceAll("\u0001", "\u0001\u0002").replaceAll("\u0000", "\u0001\u0001")

export const restored = (text: string): string =>
  text.includes("\u0001") ? text.replaceAll("\u0001\u0001", "\u0000").replaceAll("\u0001\u0002", "\u0001") : text

/** The case-folded form of a text. Computed here, because servers fold differently. */
export const searchKey = (text: string): string => stored(text.toLowerCase())
