import type { Issue } from "@chaintape/core/api/ParameterIssues"

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
