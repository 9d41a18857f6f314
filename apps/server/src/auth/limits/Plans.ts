import type { Bucket } from "./MemoryLimits.ts"

/** The limits of a key. */
export interface Plan extends Bucket {
  /** The quota per UTC day. */
  readonly perDay?: number
  /** Concurrent requests on one instance. */
  readonly concurrency?: number
}

export interface Limits {
  /** By name. `default` applies to every key without a plan. */
  readonly plans: { readonly [name: string]: Plan }
  /** All keys used by one address. */
  readonly address: Bucket
  /** Wrong keys from one address. */
  readonly wrongKeys: Bucket
  /** Requests from one address that no key pays for. */
  readonly withoutKey: Bucket
  /** Connections per address, unless it is a proxy. */
  readonly connectionsPerAddress: number
  /** Concurrent live streams on one instance. */
  readonly subscribers: number
}

const standardSubscribers = 2000

const standardPlan: Plan = { burst: 300, perSecond: 100 }

/** How many keys of the default plan an address may use up at once, by default. */
const plansPerAddress = 3

/**
 * The configured plans, with defaults. By default an address has three times the default plan for its keys, and the same
 * again without a key.
 */
export const toLimits = (given: Partial<Limits> = {}): Limits => {
  const plans = { default: standardPlan, ...given.plans }
  const { burst, perSecond } = plans.default
  const address = given.address ?? { burst: plansPerAddress * burst, perSecond: plansPerAddress * perSecond }
  return {
    plans,
    address,
    wrongKeys: given.wrongKeys ?? { burst: 20, perSecond: 0.2 },
    withoutKey: given.withoutKey ?? address,
    connectionsPerAddress: given.connectionsPerAddress ?? 1024,
    subscribers: given.subscribers ?? standardSubscribers
  }
}

/** A plan that is no longer configured falls back to the default. */
export const getPlan = (
  { plans }: Limits,
  name: string | undefined
): { readonly name: string; readonly plan: Plan } => {
  const found = name === undefined || !Object.hasOwn(plans, name) ? undefined : plans[name]
  return found === undefined || name === undefined
    ? { name: "default", plan: plans["default"] ?? standardPlan }
    : { name, plan: found }
}
