import { parseWeights } from "./parseWeights.ts"

/** Whether a client prefers HTML over JSON, which is the default. The most specific range counts (RFC 9110, 12.5.1). */
export const prefersPage = (accept: string | undefined): boolean => {
  if (accept === undefined) return false
  const weights = parseWeights(accept)
  const getWeight = (family: string, form: string) =>
    weights.get(`${family}/${form}`) ?? weights.get(`${family}/*`) ?? weights.get("*/*") ?? 0
  return getWeight("text", "html") > getWeight("application", "json")
}
