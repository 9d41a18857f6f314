import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import * as Indexers from "../../../../src/dex/index/run/Indexers.ts"
import { Wakeups } from "../../../../src/live/Wakeups.ts"
import { IndexStatuses } from "../../../../src/status/IndexStatuses.ts"
import { testOwnership } from "../../../ownership/TestOwnership.ts"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import { toChild } from "../synthetic/SyntheticChain.ts"
import { grow, syntheticConfig, findTruth } from "../synthetic/SyntheticIndex.ts"
import { makeClient, SyntheticNode } from "../synthetic/SyntheticNode.ts"

const hasNoOwner = "No instance does this work at the moment."

describe("Indexers", () => {
  it.effect("follow the heads of their chains, and show how far they are", () => {
    const node = new SyntheticNode()
    node.setBranch(0, grow(node.head, 30, 4))
    const config = syntheticConfig(10)
    const store = makeMemoryEntityStore()
    const services = Indexers.layer([config]).pipe(
      Layer.provide([
        store.layer,
        Layer.succeed(HttpClient.HttpClient, makeClient({ one: node })),
        testOwnership(),
        Wakeups.layer
      ])
    )
    return Effect.gen(function* () {
      const statuses = yield* IndexStatuses
      const turn = Effect.andThen(
        Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
        TestClock.adjust("100 millis")
      )
      const settle = Effect.replicateEffect(turn, 60, { discard: true })
      // Work of other threads may take many turns on a busy machine.
      const settleAt = (head: number) =>
        Effect.andThen(
          Effect.repeat(Effect.andThen(turn, statuses.all), {
            until: ([status]) => status?.proven === head && status.indexed === head,
            times: 10_000
          }),
          settle
        )
      for (let block = 0; block < 5; block++) {
        const head = node.head.number
        yield* settleAt(head)
        assert.deepStrictEqual(yield* statuses.all, [
          {
            key: config.key,
            state: "realtime",
            head,
            indexed: head,
            lag: 0,
            proven: head,
            unproven: null,
            reorgs: 0,
            lastError: null
          }
        ])
        assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(node, config, head))
        const unchanged = yield* statuses.watchUnchanged(config.key)
        yield* settle
        assert.isTrue(unchanged?.())
        node.setBranch(head, [toChild(node.head, 4)])
        yield* settleAt(node.head.number)
        assert.isFalse(unchanged?.())
      }
    }).pipe(Effect.provide(services))
  })

  it.effect("of other instances have the published status of their owners, and only while these run", () => {
    const config = syntheticConfig(10)
    const status = {
      key: config.key,
      state: "realtime",
      head: 9,
      indexed: 9,
      lag: 0,
      proven: 7,
      unproven: null,
      reorgs: 1,
      lastError: null
    }
    let ageMs = 0
    const services = Indexers.layer([config]).pipe(
      Layer.provide([
        makeMemoryEntityStore().layer,
        Wakeups.layer,
        Layer.succeed(HttpClient.HttpClient, makeClient({})),
        testOwnership({
          owns: [],
          published: (name) => (name === `index:${config.key}` ? { status, ageMs } : undefined)
        })
      ])
    )
    return Effect.gen(function* () {
      const { all, watchUnchanged } = yield* IndexStatuses
      assert.isUndefined(yield* watchUnchanged(config.key))
      assert.deepStrictEqual<unknown>(yield* all, [status])
      ageMs = 3001
      assert.deepStrictEqual<unknown>(yield* all, [{ ...status, state: "starting", lastError: hasNoOwner }])
    }).pipe(Effect.provide(services))
  })
})
