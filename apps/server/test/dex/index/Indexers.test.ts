import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { Indexers } from "../../../src/dex/index/Indexers.ts"
import { makeMemoryEntityStore } from "./MemoryEntityStore.ts"
import { childOf } from "./SyntheticChain.ts"
import { grow, syntheticConfig, truthOf } from "./SyntheticIndex.ts"
import { clientOf, SyntheticNode } from "./SyntheticNode.ts"

describe("Indexers", () => {
  it.effect("follow the heads of their chains, and tell how far they are", () => {
    const node = new SyntheticNode()
    node.setBranch(0, grow(node.head, 30, 4))
    const config = syntheticConfig(10)
    const store = makeMemoryEntityStore()
    const services = Indexers.layer([config]).pipe(
      Layer.provide([store.layer, Layer.succeed(HttpClient.HttpClient, clientOf({ one: node }))])
    )
    return Effect.gen(function* () {
      const { statuses } = yield* Indexers
      const settle = Effect.gen(function* () {
        for (let turn = 0; turn < 60; turn++) {
          yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
          yield* TestClock.adjust("100 millis")
        }
      })
      for (let block = 0; block < 5; block++) {
        yield* settle
        const head = node.head.number
        assert.deepStrictEqual(yield* statuses, [
          {
            key: config.key,
            state: "realtime",
            head,
            indexed: head,
            lag: 0,
            reorgs: 0,
            failures: 0,
            lastError: undefined
          }
        ])
        assert.deepStrictEqual(store.index(config.key).contents, yield* truthOf(node, config, head))
        node.setBranch(head, [childOf(node.head, 4)])
      }
    }).pipe(Effect.provide(services))
  })
})
