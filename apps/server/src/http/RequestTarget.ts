/** A path without any of these characters, then perhaps a query. */
const isPlain = /^\/[^?;#]*(?:\?|$)/

const absoluteForm = /^https?:\/\/[^/?#;]*/i

/**
 * The request's target as every route reads it. A proxy's absolute form loses its authority, and only `?` ends the path:
 * the router would also end it at `;` and `#`, and take a key from behind them that is logged as a part of the path.
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

/** What every key and every name of one holds. */
const mayHoldKey = /key|chaintape_/i

const withoutKeys = (text: string): string =>
  mayHoldKey.test(text) ? text.replace(namedKey, "$1…").replace(keyOfOurForm, "chaintape_…") : text

/** A path as logs and problems show it. A key that a caller put there by mistake is left out. */
export const shownPath = (path: string): string => {
  const masked = withoutKeys(path)
  return masked.length > longestShown ? `${masked.slice(0, longestShown)}…` : masked
}

/** The parameter that a span leaves out by its name, as the operations call it. */
const keyInItsPlace = /([?&]apiKey=)[^&]*/g

/** Whether a key stands in the URL where no key belongs: by the wrong name, say, or in the path. */
export const holdsStrayKey = (url: string): boolean => {
  const rest = url.replace(keyInItsPlace, "")
  return withoutKeys(rest) !== rest
}
