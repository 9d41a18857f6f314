import { Effect, Layer, Option, SubscriptionRef } from "effect"
import type { HttpClient } from "effect/http"
import { isNotKept, ownAll } from "../../../ownership/OwnedWork.ts"
import type { Ownership } from "../../../ownership/Ownership.ts"
import { IndexStatus, IndexStatuses } from "../../../sources/IndexStatuses.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import type { EntityStore } from "../store/EntityStore.ts"
import { makeIndexer } from "./Indexer.ts"
import { startingStatus } from "./IndexStatus.ts"
import type * as Own from "./IndexStatus.ts"

const shown = ({ head, indexed, key, lag, lastError, reorgs, state }: Own.IndexStatus): IndexStatus => ({
  key,
  state,
  head: head ?? null,
  indexed: indexed ?? null,
  lag: lag ?? null,
  reorgs,
  lastError: lastError?.message ?? null
})

const unkept = (status: IndexStatus, lastError: string | null): IndexStatus => ({
  ...status,
  state: "starting",
  lastError
})

const nameOf = (key: string) => `index:${key}`

/** The indexes of all configured deployments, each owned by one of the instances. */
export const layer = (
  configs: ReadonlyArray<IndexConfig>
): Layer.Layer<IndexStatuses, never, EntityStore | HttpClient.HttpClient | Ownership> =>
  Layer.effect(
    IndexStatuses,
    Effect.gen(function* () {
      const { running, told, whySilent } = yield* ownAll({
        role: "indexer",
        status: IndexStatus,
        works: configs.map((config) => ({
          name: nameOf(config.key),
          begin: Effect.map(makeIndexer(config), ({ changes, run, status }) => ({
            run,
            changes,
            status: Effect.map(SubscriptionRef.get(status), shown)
          }))
        }))
      })
      const toStatus = (key: string) =>
        running(nameOf(key))?.status ??
        Effect.zipWith(told(nameOf(key)), whySilent, (known, why) =>
          Option.match(known, {
            onNone: () => unkept(shown(startingStatus(key)), why),
            onSome: ({ isKept, status }) => (isKept ? status : unkept(status, isNotKept))
          })
        )
      return IndexStatuses.of({
        unchanged: (key) =>
          Effect.sync(() => {
            const own = running(nameOf(key))
            if (own === undefined) return undefined
            const before = own.changes()
            if (before % 2 === 1) return undefined
            return () => own.changes() === before && running(nameOf(key)) === own
          }),
        all: Effect.suspend(() => Effect.forEach(configs, ({ key }) => toStatus(key)))
      })
    })
  )
