const absoluteForm = /^https?:\/\/[^/?#;]*/i

/**
 * The request's target as every route reads it. A proxy's absolute form loses its authority, and only `?` ends the path:
 * the router would also end it at `;` and `#`, and take a key from behind them that is logged as a part of the path.
 */
export const originForm = (url: string): string => {
  const target = url.replace(absoluteForm, "")
  const question = target.indexOf("?")
  const path = question < 0 ? target : target.slice(0, question)
  const query = question < 0 ? "" : target.slice(question)
  const plain = path.replaceAll(";", "%3B").replaceAll("#", "%23")
  return (plain.startsWith("/") ? plain : `/${plain}`) + query
}

const longestShown = 200
const keyInPath = /(api-?key(?:=|%3D))[^/&;]*/gi

/** A path as logs and problems show it. A key that a caller put there by mistake is left out. */
export const shownPath = (path: string): string => {
  const masked = path.replace(keyInPath, "$1…")
  return masked.length > longestShown ? `${masked.slice(0, longestShown)}…` : masked
}
