import { Context, Effect, Exit, Layer, Option, Schedule, Scope } from "effect"
import * as MessageStorage from "effect/cluster/MessageStorage"
import { RunnerAddress } from "effect/cluster/RunnerAddress"
import * as RunnerHealth from "effect/cluster/RunnerHealth"
import * as Runners from "effect/cluster/Runners"
import * as RunnerStorage from "effect/cluster/RunnerStorage"
import * as Sharding from "effect/cluster/Sharding"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import { SqlClient } from "effect/sql"
import { makeFirstFailureWarning } from "../internal/log/firstFailure.ts"
import { watchClock } from "./ClockCheck.ts"
import { makeHeartbeats } from "./Heartbeats.ts"
import { makeHoldings } from "./Holdings.ts"
import type { Holding, Holdings } from "./Holdings.ts"
import { Ownership } from "./Ownership.ts"
import { makePublishedStatuses, publish } from "./PublishedStatuses.ts"
import type { OwningRole, Role } from "./Roles.ts"
import { assignmentIntervalMs, joinDelayMs, maxIdleWriteMs, publishIntervalMs } from "./Timing.ts"

const owningRoles: ReadonlyArray<OwningRole> = ["recorder", "indexer"]

const timing = {
  refreshAssignmentsInterval: assignmentIntervalMs,
  entityMessagePollInterval: assignmentIntervalMs,
  runnerJoinDebounce: joinDelayMs
} as const

/** Every piece of work belongs to a shard: enough of them for an even distribution. */
const shardsPerGroup = 256

/**
 * The instances on one store, without connections between them. Each role has a group of shards, so that an instance
 * without the role gets none of its work.
 */
const shardingLayer = (
  storage: RunnerStorage.RunnerStorage["Service"],
  instance: string,
  roles: ReadonlyArray<Role>
) => {
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

/** Publishes the status of this instance's work, and learns from the store which work it no longer owns. */
export const keepPublishing = (
  sql: SqlClient.SqlClient,
  { all, lose }: Pick<Holdings, "all" | "lose">
): Effect.Effect<never> => {
  const warnOfFirst = makeFirstFailureWarning("The status of the work cannot be published to the other instances")
  const publishAll = Effect.fnUntraced(function* (holdings: ReadonlyArray<Holding>) {
    const statuses = yield* Effect.forEach(holdings, ({ lease, status }) =>
      Effect.map(status, (own) => ({ lease, status: own }))
    )
    const current = yield* publish(sql, statuses)
    yield* Effect.forEach(statuses, ({ lease }) => (current.has(lease.name) ? Effect.void : lose(lease)), {
      concurrency: "unbounded",
      discard: true
    })
  }, Effect.timeout("5 seconds"))
  return Effect.suspend(() => {
    const holdings = all()
    // Without work the store is not asked, which ends no outage.
    return holdings.length === 0 ? Effect.void : warnOfFirst(publishAll(holdings))
  }).pipe(Effect.repeat(Schedule.spaced(publishIntervalMs)), Effect.andThen(Effect.never))
}

/**
 * One of several instances on one store. The cluster decides who takes the lease of a piece of work; the holder of the
 * lease does the work until another instance takes it. A store that is unavailable for a while therefore stops nothing.
 */
export const layer = (instance: string, roles: ReadonlyArray<Role>) =>
  Layer.effect(
    Ownership,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const scope = yield* Scope.fork(yield* Effect.scope)
      const { keepBeating, storage } = makeHeartbeats(sql, instance)
      // Closed last: when the others learn that this instance leaves, its work has ended.
      const { registerSingleton } = Context.get(
        yield* Layer.buildWithScope(shardingLayer(storage, instance, roles), scope),
        Sharding.Sharding
      )
      const holdings = yield* Scope.provide(makeHoldings(sql, instance, maxIdleWriteMs), scope)
      yield* Effect.forkIn(keepPublishing(sql, holdings), scope)
      yield* Effect.forkIn(keepBeating, scope)
      yield* Effect.forkIn(watchClock(sql), scope)
      return Ownership.of({
        instance,
        roles,
        own: (work) => registerSingleton(work.name, holdings.hold(work), { shardGroup: work.role }),
        owned: Effect.sync(() => holdings.all().map(({ lease }) => lease.name)),
        published: yield* makePublishedStatuses(sql),
        end: Scope.close(scope, Exit.void)
      })
    })
  )
