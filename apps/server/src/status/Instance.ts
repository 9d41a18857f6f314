import { Context, Schema } from "effect"
import type { Effect } from "effect"

/** One of the instances that share a store. */
export const InstanceStatus = Schema.Struct({
  /** A new one for each start of the process. */
  id: Schema.String,
  roles: Schema.Array(Schema.String),
  /** The names of its work: recordings, indexes, the retention. */
  owns: Schema.Array(Schema.String)
})

export type InstanceStatus = typeof InstanceStatus.Type

/** Port: this instance. */
export class Instance extends Context.Service<
  Instance,
  {
    readonly status: Effect.Effect<InstanceStatus>
  }
>()("@chaintape/server/status/Instance") {}
