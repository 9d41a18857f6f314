/** The weights of a header such as `Accept` (RFC 9110, 12.4.2), by name in lower case. A malformed weight is 0. */
export const parseWeights = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(",").map((part): [string, number] => {
      const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1"
      return [name, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0]
    })
  )

/** Whether a client prefers HTML over JSON, which is the default. The most specific range counts (RFC 9110, 12.5.1). */
export const prefersPage = (accept: string | undefined): boolean => {
  if (accept === undefined) return false
  const weights = parseWeights(accept)
  const getWeight = (family: string, form: string) =>
    weights.get(`${family}/${form}`) ?? weights.get(`${family}/*`) ?? weights.get("*/*") ?? 0
  return getWeight("text", "html") > getWeight("application", "json")
}
