import type { Skip } from "./Tally.ts"

/** What a richer test asks of its surroundings, and the word by which its name or note says so. */
const conditions = [
  { variable: "DATABASE_URL", word: /DATABASE_URL|postgres/i },
  { variable: "REDIS_URL", word: /REDIS_URL|redis/i },
  { variable: "CHAINTAPE_CHROMIUM", word: /CHAINTAPE_CHROMIUM|chromium|browser/i }
]

export interface JudgedSkip {
  readonly test: string
  readonly reason: string
  /** Nothing in the surroundings asks for this skip. */
  readonly unjustified: boolean
}

/**
 * Why a test was skipped: a variable that its name or note asks for is not set. On CI every skip needs such a reason;
 * anywhere a test may not be skipped for a variable that is set.
 */
export const judgeSkip = (skip: Skip, env: { readonly [name: string]: string | undefined }): JudgedSkip => {
  const isSet = (variable: string) => (env[variable] ?? "") !== ""
  const wanted = conditions.filter(({ word }) => word.test(skip.note) || word.test(skip.test))
  const missing = wanted.filter(({ variable }) => !isSet(variable)).map(({ variable }) => variable)
  if (missing.length > 0) return { test: skip.test, reason: `${missing.join(" and ")} is not set`, unjustified: false }
  if (wanted.length > 0) {
    const set = wanted.map(({ variable }) => variable).join(" and ")
    return { test: skip.test, reason: `although ${set} is set`, unjustified: true }
  }
  return {
    test: skip.test,
    reason: skip.note === "" ? "no reason is given" : skip.note,
    unjustified: (env.CI ?? "") !== "" && env.CI !== "false"
  }
}
