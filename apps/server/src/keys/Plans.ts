/** What the holder of a key may use. */
export interface Plan {
  /** The size of the bucket. */
  readonly burst: number
  /** What flows back into the bucket. */
  readonly perSecond: number
  /** What may be used in one UTC day. */
  readonly perDay?: number
  /** How many requests may be under way at once, on one instance. */
  readonly concurrency?: number
}

export interface Bucket {
  readonly burst: number
  readonly perSecond: number
}

export interface Limits {
  /** By name. `default` is the one of every key that has no other. */
  readonly plans: { readonly [name: string]: Plan }
  /** All keys that one address uses. */
  readonly address: Bucket
  /** Wrong keys from one address. */
  readonly wrongKeys: Bucket
  /** Requests from one address that no key pays for. */
  readonly withoutKey: Bucket
  /** Connections that one address may hold, unless it is a proxy. */
  readonly connectionsPerAddress: number
  /** Live streams that are open at once on one instance. */
  readonly subscribers: number
}

const standardSubscribers = 2000

const standardPlan: Plan = { burst: 300, perSecond: 100 }

/** What the configuration says, with its standards. Addresses may use three times as much as a key of the default plan, and as much without any key. */
export const limitsOf = (given: Partial<Limits> = {}): Limits => {
  const plans = { default: standardPlan, ...given.plans }
  const { burst, perSecond } = plans.default
  const address = given.address ?? { burst: 3 * burst, perSecond: 3 * perSecond }
  return {
    plans,
    address,
    wrongKeys: given.wrongKeys ?? { burst: 20, perSecond: 0.2 },
    withoutKey: given.withoutKey ?? address,
    connectionsPerAddress: given.connectionsPerAddress ?? 1024,
    subscribers: given.subscribers ?? standardSubscribers
  }
}

/** A plan that is no longer configured is the default one. */
export const planOf = ({ plans }: Limits, name: string | undefined): { readonly name: string; readonly plan: Plan } => {
  const found = name === undefined || !Object.hasOwn(plans, name) ? undefined : plans[name]
  return found === undefined || name === undefined
    ? { name: "default", plan: plans["default"] ?? standardPlan }
    : { name, plan: found }
}
