/** `quota` units that are available again after `windowMs`. */
export interface Policy {
  readonly name: string
  readonly quota: number
  readonly windowMs: number
}

/** The headers of a caller's budgets. They belong to one request: `ResponseCache` leaves them out. */
export const budgetHeaderNames = [
  "ratelimit",
  "ratelimit-policy",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset"
] as const

export type BudgetHeaders = { readonly [Name in (typeof budgetHeaderNames)[number]]?: string }

const seconds = (ms: number) => Math.ceil(ms / 1000)

/** The header of a caller's policies. */
export const toPolicyHeader = (policies: ReadonlyArray<Policy>): string =>
  policies.map(({ name, quota, windowMs }) => `"${name}";q=${quota};w=${seconds(windowMs)}`).join(", ")

/** The rest of the budget. `waitMs` is the time until it is full again, or until a rejected request may be retried. */
interface Budget extends Omit<Policy, "windowMs"> {
  readonly remaining: number
  readonly waitMs: number
}

/** The header of all policies, and the budget with the least left. */
export const budgetHeaders = (policy: string, budgets: ReadonlyArray<Budget>): BudgetHeaders => {
  const tightest = budgets.reduce<Budget | undefined>(
    (least, one) => (least === undefined || one.remaining < least.remaining ? one : least),
    undefined
  )
  if (tightest === undefined) return { "ratelimit-policy": policy }
  const { name, quota, waitMs } = tightest
  const remaining = Math.max(0, Math.floor(tightest.remaining))
  const reset = seconds(waitMs)
  return {
    "ratelimit-policy": policy,
    ratelimit: `"${name}";r=${remaining};t=${reset}`,
    "ratelimit-limit": String(quota),
    "ratelimit-remaining": String(remaining),
    "ratelimit-reset": String(reset)
  }
}
