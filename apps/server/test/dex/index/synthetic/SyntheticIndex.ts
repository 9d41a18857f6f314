import { Effect, Layer } from "effect"
import { HttpClient } from "effect/http"
import type { IndexConfig } from "../../../../src/dex/index/IndexConfig.ts"
import { makeIndexer } from "../../../../src/dex/index/run/Indexer.ts"
import { EntityStore } from "../../../../src/dex/index/store/EntityStore.ts"
import type { Lease } from "../../../../src/ownership/Lease.ts"
import { withLease } from "../../../ownership/TestLease.ts"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import { toChild, dollar, factory, stablePool, wrapped } from "./SyntheticChain.ts"
import type { SyntheticBlock } from "./SyntheticChain.ts"
import { makeClient, SyntheticNode } from "./SyntheticNode.ts"

export const syntheticConfig = (finality: number, nodes = 1): IndexConfig => ({
  key: "uniswap-v3/synthetic",
  blockchain: "synthetic",
  rpc: ["http://one", "http://two"].slice(0, nodes),
  finality,
  factory,
  startBlock: 1,
  referenceToken: wrapped,
  stablePool,
  whitelist: [wrapped, dollar],
  stablecoins: [dollar],
  minimumNativeLocked: "0.001"
})

export const grow = (parent: SyntheticBlock, count: number, seed: number): ReadonlyArray<SyntheticBlock> => {
  const blocks: Array<SyntheticBlock> = []
  for (let index = 0; index < count; index++) blocks.push(toChild(blocks.at(-1) ?? parent, seed))
  return blocks
}

/** An indexer over nodes of synthetic chains. */
export const startOn = (
  nodes: Readonly<Record<string, SyntheticNode>>,
  store: EntityStore["Service"],
  config: IndexConfig,
  blocks: number,
  rangesPerStep = 1
) =>
  makeIndexer(config, { firstBlocks: blocks, rangesPerStep }).pipe(
    Effect.provide(Layer.succeed(EntityStore, store)),
    Effect.provideService(HttpClient.HttpClient, makeClient(nodes)),
    Effect.map(({ prove, run, status, step }) => ({
      run: withLease(run),
      status,
      step: withLease(step),
      prove: withLease(prove)
    }))
  )

export const followToHead = (indexer: { readonly step: Effect.Effect<string, unknown, Lease> }) =>
  Effect.gen(function* () {
    while ((yield* indexer.step) === "advanced");
  }).pipe(withLease)

/** An index that saw only the chain of this node, up to a block. */
export const indexTruly = Effect.fnUntraced(function* (node: SyntheticNode, config: IndexConfig, head: number) {
  const copy = new SyntheticNode(node.chainId)
  copy.setBranch(0, node.canonical.slice(1, head + 1))
  const store = makeMemoryEntityStore()
  yield* followToHead(yield* startOn({ one: copy, two: copy }, store.service, config, 500))
  return store.index(config.key)
})

/** The content of an index that saw only the chain of this node, up to a block. */
export const findTruth = (node: SyntheticNode, config: IndexConfig, head: number) =>
  Effect.map(indexTruly(node, config, head), ({ contents }) => contents)
