/** `quota` units that are there again after `windowMs`. */
export interface Policy {
  readonly name: string
  readonly quota: number
  readonly windowMs: number
}

/** What is left of it. `waitMs` is the time until it is whole again, or until a refused request may come again. */
export interface Budget extends Omit<Policy, "windowMs"> {
  readonly remaining: number
  readonly waitMs: number
}

const seconds = (ms: number) => Math.ceil(ms / 1000)

/** Of the policies that are told again and again. */
const texts = new WeakMap<ReadonlyArray<Policy>, string>()

const textOf = (policies: ReadonlyArray<Policy>): string => {
  const known = texts.get(policies)
  if (known !== undefined) return known
  const text = policies.map(({ name, quota, windowMs }) => `"${name}";q=${quota};w=${seconds(windowMs)}`).join(", ")
  texts.set(policies, text)
  return text
}

/** All policies, and of the budgets the one of which the least is left. */
export const budgetHeaders = (
  policies: ReadonlyArray<Policy>,
  budgets: ReadonlyArray<Budget>
): Record<string, string> => {
  const policy = textOf(policies)
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
