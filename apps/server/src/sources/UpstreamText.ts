import { toOneLine } from "../internal/log/oneLine.ts"

/** Longer texts say no more; patterns search them in time that grows with the square of their length. */
const longest = 500
const address = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>]+/gi
/** A shorter part of an address is a word of its path, such as "v3". */
const minSecretLength = 8

const decoded = (part: string): string =>
  new URLSearchParams(`part=${part.replaceAll("+", "%2B").replaceAll("&", "%26")}`).get("part") ?? part

/** The parts of an address in which providers put keys. */
const toSecrets = (url: string): ReadonlyArray<string> => {
  if (!URL.canParse(url)) return []
  const { password, pathname, search, searchParams, username } = new URL(url)
  return [username, password, ...pathname.split("/"), ...search.split(/[?&=]/), ...searchParams.values()]
    .flatMap((part) => [part, decoded(part)])
    .filter((part) => part.length >= minSecretLength)
    .sort((one, other) => other.length - one.length)
}

const shorten = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`

/**
 * The text of an upstream, such that a message, a log and a page can quote it: short, on one line, without addresses, and
 * without the keys in `url`, its own.
 */
export const toQuotable = (text: string, url: string): string => {
  let clean = text.slice(0, 4 * longest).replaceAll(address, "(address)")
  for (const secret of toSecrets(url)) clean = clean.replaceAll(secret, "(hidden)")
  return shorten(toOneLine(clean), longest)
}
