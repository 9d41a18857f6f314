/** The requirements of some tests beyond Node, with the word that their names contain. */
const needs = [
  { variable: "DATABASE_URL", word: /DATABASE_URL|PostgreSQL/ },
  { variable: "REDIS_URL", word: /REDIS_URL|Redis/ },
  { variable: "CHAINTAPE_CHROMIUM", word: /CHAINTAPE_CHROMIUM/ }
]

/** Further words in names for what the machine does not have. */
const lacks = /\(((?:root|[^()]* not installed)[^()]*)\)/

export interface JudgedSkip {
  readonly reason: string
  /** Nothing that this machine lacks explains this skip. */
  readonly isUnjustified: boolean
}

/**
 * The reason of a skipped test: its name states what the machine lacks, or a variable that its name mentions is not
 * set. A test may not be skipped for a variable that is set, and on CI not without such a reason.
 */
export const judgeSkip = (test: string, env: { readonly [name: string]: string | undefined }): JudgedSkip => {
  const [, lacking] = lacks.exec(test) ?? []
  if (lacking !== undefined) return { reason: `this machine lacks it: ${lacking}`, isUnjustified: false }
  const wanted = needs.filter(({ word }) => word.test(test)).map(({ variable }) => variable)
  const missing = wanted.filter((variable) => (env[variable] ?? "") === "")
  if (missing.length > 0) return { reason: `${missing.join(" and ")} is not set`, isUnjustified: false }
  if (wanted.length > 0) return { reason: `although ${wanted.join(" and ")} is set`, isUnjustified: true }
  return { reason: "its name gives no reason", isUnjustified: (env["CI"] ?? "") !== "" && env["CI"] !== "false" }
}
