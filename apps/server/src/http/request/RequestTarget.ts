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

const isDecodable = (text: string): boolean => {
  if (!text.includes("%")) return true
  try {
    decodeURIComponent(text.replaceAll("+", " "))
    return true
  } catch {
    // Thrown for a sequence that is not UTF-8.
    return false
  }
}

/** As an invalid parameter has it. */
interface Issue {
  readonly parameter: string
  readonly message: string
}

/** The query parameters with percent sequences that do not decode. */
export const percentIssues = (url: string): ReadonlyArray<Issue> => {
  const question = url.indexOf("?")
  if (question < 0 || isDecodable(url.slice(question + 1))) return []
  return url
    .slice(question + 1)
    .split("&")
    .flatMap((pair): ReadonlyArray<Issue> => {
      if (isDecodable(pair)) return []
      const name = pair.split("=", 1)[0] ?? ""
      const parameter = isDecodable(name) ? decodeURIComponent(name) : name
      return [{ parameter, message: "a percent sign must begin the code of a character, such as %20" }]
    })
}

/** Whether the path contains a percent sequence that does not decode. */
export const isPathDecodable = (url: string): boolean => isDecodable(url.split("?", 1)[0] ?? "")
