import { Effect, Layer, SubscriptionRef } from "effect"
import type { HttpClient } from "effect/http"
import { Wakeups } from "../../../live/Wakeups.ts"
import { runOwnedWork } from "../../../ownership/OwnedWork.ts"
import type { Ownership } from "../../../ownership/Ownership.ts"
import { IndexStatus, IndexStatuses } from "../../../status/IndexStatuses.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import { indexTopic } from "../store/EntityStore.ts"
import type { EntityStore } from "../store/EntityStore.ts"
import { makeIndexer } from "./Indexer.ts"
import { startingProgress } from "./IndexProgress.ts"
import type { IndexProgress } from "./IndexProgress.ts"

const toStatus = ({ failures: _, ...progress }: IndexProgress): IndexStatus => ({
  ...progress,
  head: progress.head ?? null,
  indexed: progress.indexed ?? null,
  lag: progress.lag ?? null,
  proven: progress.proven ?? null,
  unproven: progress.unproven ?? null,
  lastError: progress.lastError?.message ?? null
})

const withoutOwner = (status: IndexStatus, lastError: string | null): IndexStatus => ({
  ...status,
  state: "starting",
  lastError
})

const toWorkName = (key: string) => `index:${key}`

/** The indexes of all configured deployments, each owned by one of the instances. */
export const layer = (
  configs: ReadonlyArray<IndexConfig>
): Layer.Layer<IndexStatuses, never, EntityStore | HttpClient.HttpClient | Ownership | Wakeups> =>
  Layer.effect(
    IndexStatuses,
    Effect.gen(function* () {
      const wakeups = yield* Wakeups
      const { running, status } = yield* runOwnedWork({
        role: "indexer",
        status: IndexStatus,
        withoutOwner,
        works: configs.map((config) => ({
          name: toWorkName(config.key),
          begin: Effect.map(
            makeIndexer(config, { announce: wakeups.announce(indexTopic(config.key)) }),
            ({ changes, run, status }) => ({
              run,
              changes,
              status: Effect.map(SubscriptionRef.get(status), toStatus)
            })
          )
        }))
      })
      return IndexStatuses.of({
        watchUnchanged: (key) =>
          Effect.sync(() => {
            const own = running(toWorkName(key))
            const isUnchanged = own?.changes.watch()
            return isUnchanged === undefined ? undefined : () => isUnchanged() && running(toWorkName(key)) === own
          }),
        all: Effect.forEach(configs, ({ key }) => status(toWorkName(key), toStatus(startingProgress(key))))
      })
    })
  )
