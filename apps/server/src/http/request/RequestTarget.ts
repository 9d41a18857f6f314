/** A path without any of these characters, with an optional query. */
const isPlain = /^\/[^?;#]*(?:\?|$)/

const absoluteForm = /^https?:\/\/[^/?#;]*/i

/**
 * The request target as every route parses it. A proxy's absolute form loses its authority, and only `?` ends the path:
 * the router would also end it at `;` and `#`, and accept a key from behind them that is logged as a part of the path.
 */
export const originForm = (url: string): string => {
  if (isPlain.test(url)) return url
  const target = url.replace(absoluteForm, "")
  const question = target.indexOf("?")
  const path = question < 0 ? target : target.slice(0, question)
  const query = question < 0 ? "" : target.slice(question)
  const plain = path.replaceAll(";", "%3B").replaceAll("#", "%23")
  return (plain.startsWith("/") ? plain : `/${plain}`) + query
}

const longestShown = 200
const namedKey = /(api[-_]?key(?:=|%3D))[^/&;]+/gi
const keyOfOurForm = /chaintape_[\w-]{16,}/g

/** The prefix of every key and of every key id. */
const mayHoldKey = /key|chaintape_/i

const withoutKeys = (text: string): string =>
  mayHoldKey.test(text) ? text.replace(namedKey, "$1…").replace(keyOfOurForm, "chaintape_…") : text

/** A path for logs and problems, with a key that a caller put there by mistake removed. */
export const shownPath = (path: string): string => {
  const masked = withoutKeys(path)
  return masked.length > longestShown ? `${masked.slice(0, longestShown)}…` : masked
}

/** The parameter that spans redact by name. */
const keyParameter = /([?&]apiKey=)[^&]*/g

/** Whether a key is in the URL where it does not belong: in another parameter, for example, or in the path. */
export const holdsStrayKey = (url: string): boolean => {
  const rest = url.replace(keyParameter, "")
  return withoutKeys(rest) !== rest
}
