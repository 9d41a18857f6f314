import { Schema } from "effect"
import { Id } from "./ConfigText.ts"

const Rate = {
  burst: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000_000 })).annotate({
    description: "Bucket size"
  }),
  perSecond: Schema.Finite.check(Schema.isBetween({ minimum: 0.001, maximum: 1_000_000_000 })).annotate({
    description: "Units refilled per second"
  })
}

const PlanEntry = Schema.Struct({
  ...Rate,
  perDay: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))).annotate({
    description: "How many in one UTC day; as many as the bucket allows if absent"
  }),
  concurrency: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))).annotate({
    description: "Concurrent requests of a key on one instance; unlimited if absent"
  })
}).annotate({ description: "The limits of a key. A request is one, and one more for each full 1,000 rows asked for" })

export const LimitsEntry = Schema.Struct({
  plans: Schema.optionalKey(Schema.Record(Id, PlanEntry)).annotate({
    description: "By name. The plan default is that of every key without another"
  }),
  address: Schema.optionalKey(Schema.Struct(Rate)).annotate({
    description: "The limit of all keys of one address together; three times the default plan if absent"
  }),
  wrongKeys: Schema.optionalKey(Schema.Struct(Rate)).annotate({
    description: "How many wrong keys an address may send; 20, and one more each 5 seconds if absent"
  }),
  withoutKey: Schema.optionalKey(Schema.Struct(Rate)).annotate({
    description:
      "Requests from one address that need no key, or lack it, on one instance; as many as with all keys if absent"
  }),
  connectionsPerAddress: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4096 }))).annotate(
    {
      description:
        "How many connections an address may hold that is not under proxies, on one instance; 1,024 if absent"
    }
  ),
  subscribers: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4000 }))).annotate({
    description: "How many live streams may be open at once on one instance; 2,000 if absent"
  })
}).annotate({ description: "The limits of callers" })
