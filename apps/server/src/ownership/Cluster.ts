import { Context, Effect, Exit, Layer, Option, Schedule, Scope } from "effect"
import * as MessageStorage from "effect/cluster/MessageStorage"
import { RunnerAddress } from "effect/cluster/RunnerAddress"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as Runners from "effect/cluster/Runners"
import * as RunnerStorage from "effect/cluster/RunnerStorage"
import * as Sharding from "effect/cluster/Sharding"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import { SqlClient } from "effect/sql"
import { makeHeartbeats } from "./Heartbeats.ts"
import { makeHoldings } from "./Holdings.ts"
import type { Holdings } from "./Holdings.ts"
import { Ownership } from "./Ownership.ts"
import type { OwningRole, Role } from "./Roles.ts"
import { makeToldStatuses, tell } from "./ToldStatuses.ts"

const owningRoles: ReadonlyArray<OwningRole> = ["recorder", "indexer"]

/** How often an instance looks who is there, and for how long those who start together are waited for. */
const timing = {
  refreshAssignmentsInterval: "500 millis",
  entityMessagePollInterval: "500 millis",
  runnerJoinDebounce: "1 second"
} as const

/** Each piece of work is in one of them: enough for an even share. */
const shardsPerGroup = 256

/**
 * The instances on one store, without a connection between them. A group of shards for each role, so that an instance
 * without a role gets none of its work.
 */
const sharding = (storage: RunnerStorage.RunnerStorage["Service"], instance: string, roles: ReadonlyArray<Role>) => {
  const groups = owningRoles.filter((role) => roles.includes(role))
  return Sharding.layer.pipe(
    Layer.provide(Runners.layerNoop),
    Layer.provide([
      MessageStorage.layerNoop,
      RunnerHealth.layerNoop,
      Layer.succeed(RunnerStorage.RunnerStorage, storage)
    ]),
    Layer.provide(
      ShardingConfig.layer({
        ...timing,
        runnerAddress:
          groups.length === 0 ? Option.none() : Option.some(RunnerAddress.make({ host: instance, port: 0 })),
        availableShardGroups: owningRoles,
        assignedShardGroups: groups,
        shardsPerGroup
      })
    )
  )
}

/** Tells the others how the work of this instance goes, and learns from the store which work is not its own any more. */
const keepTelling = (sql: SqlClient.SqlClient, { all, lose }: Holdings): Effect.Effect<never> =>
  Effect.gen(function* () {
    const tellings = yield* Effect.forEach(all(), ({ lease, status }) =>
      Effect.map(status, (told) => ({ lease, status: told }))
    )
    if (tellings.length === 0) return
    const kept = yield* tell(sql, tellings)
    yield* Effect.forEach(tellings, ({ lease }) => (kept.has(lease.name) ? Effect.void : lose(lease)), {
      concurrency: "unbounded",
      discard: true
    })
  }).pipe(
    Effect.timeout("5 seconds"),
    Effect.catchCause((cause) => Effect.logDebug("The other instances cannot be told how the work goes", cause)),
    Effect.repeat(Schedule.spaced("500 millis")),
    Effect.andThen(Effect.never)
  )

/**
 * One of several instances on one store. The cluster says who is to take the lease of a piece of work; who holds the lease
 * does the work, until another one takes it. A store that does not answer for a while therefore stops nothing.
 */
export const layer = (
  instance: string,
  roles: ReadonlyArray<Role>
): Layer.Layer<Ownership, never, SqlClient.SqlClient> =>
  Layer.effect(
    Ownership,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const scope = yield* Scope.fork(yield* Effect.scope)
      const { keepBeating, storage } = makeHeartbeats(sql, instance)
      // Closed last: what this instance does has ended when the others hear that it goes.
      const { registerSingleton } = Context.get(
        yield* Layer.buildWithScope(sharding(storage, instance, roles), scope),
        Sharding.Sharding
      )
      const holdings = yield* Scope.provide(makeHoldings(sql, instance), scope)
      yield* Effect.forkIn(keepTelling(sql, holdings), scope)
      yield* Effect.forkIn(keepBeating, scope)
      return Ownership.of({
        instance,
        roles,
        own: (work) => registerSingleton(work.name, holdings.hold(work), { shardGroup: work.role }),
        owned: Effect.sync(() => holdings.all().map(({ lease }) => lease.name)),
        told: yield* makeToldStatuses(sql),
        end: Scope.close(scope, Exit.void)
      })
    })
  )
