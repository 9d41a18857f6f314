/** The weight that a client gives to a media type (RFC 9110, 12.5.1); the most specific range counts. */
const getWeight = (header: string, type: string): number => {
  const [family = ""] = type.split("/")
  const ranges = new Map(
    header.split(",").map((part): [string, number] => {
      const [range = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2) ?? "1"
      return [range, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0]
    })
  )
  return ranges.get(type) ?? ranges.get(`${family}/*`) ?? ranges.get("*/*") ?? 0
}

/** Whether a client prefers HTML over JSON, which is the default. */
export const prefersPage = (accept: string | undefined): boolean =>
  accept !== undefined && getWeight(accept, "text/html") > getWeight(accept, "application/json")
