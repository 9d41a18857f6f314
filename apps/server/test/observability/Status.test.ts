import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { describeLateIndexes, withKnownHeads } from "../../src/observability/Status.ts"
import type { SourceState } from "../../src/sources/SourceHealth.ts"
import type { IndexStatus } from "../../src/status/IndexStatuses.ts"
import { sampleStatus } from "./SampleStatus.ts"

const source = (id: string, kind: SourceState["kind"], head: number | null): SourceState => ({
  id,
  kind,
  configured: true,
  state: "ok",
  head,
  lastSuccessAt: 1,
  lastErrorAt: null,
  lastError: null
})

const index = (key: string, head: number | null, indexed: number | null): IndexStatus => ({
  key,
  state: "realtime",
  head,
  indexed,
  lag: 0,
  proven: null,
  unproven: null,
  reorgs: 0,
  lastError: null
})

const toHeads = (sources: ReadonlyArray<SourceState>) => sources.map(({ head, id }) => [id, head])

const Height = Schema.NullOr(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))

const newest = (...heads: ReadonlyArray<number | null>) => {
  const [last] = heads.filter((head) => head !== null).toSorted((one, other) => other - one)
  return last ?? null
}

describe("the heads of the sources", () => {
  it("are the newest that a request or an index has seen, of the same blockchain", () => {
    const sources = [
      source("devnet", "blockchain", 341),
      source("net", "blockchain", 12),
      source("other", "blockchain", null),
      source("uniswap-v3/devnet", "dex", 707),
      source("uniswap-v3/net", "dex", 800),
      source("devnet", "exchange", null)
    ]
    const indexes = [index("uniswap-v3/devnet", 731, 738), index("sushi/devnet", 739, 730)]
    assert.deepStrictEqual(toHeads(withKnownHeads(sources, indexes)), [
      ["devnet", 739],
      ["net", 12],
      ["other", null],
      ["uniswap-v3/devnet", 738],
      ["uniswap-v3/net", 800],
      ["devnet", null]
    ])
  })

  it("are those of the index once its dex is on a shorter chain", () => {
    const restarted = [source("devnet", "blockchain", 138), source("uniswap-v3/devnet", "dex", 260)]
    assert.deepStrictEqual(toHeads(withKnownHeads(restarted, [index("uniswap-v3/devnet", 138, 137)])), [
      ["devnet", 138],
      ["uniswap-v3/devnet", 138]
    ])
  })

  it.prop(
    "are never behind the index, and nothing else of a source changes",
    [Height, Height, Height, Height],
    ([asked, stated, indexed, other]) => {
      const before = [source("devnet", "blockchain", asked), source("a/devnet", "dex", asked)]
      const after = withKnownHeads(before, [index("a/devnet", stated, indexed), index("b/devnet", other, null)])
      assert.deepStrictEqual(toHeads(after), [
        ["devnet", newest(asked, stated, indexed, other)],
        ["a/devnet", newest(stated, indexed) ?? asked]
      ])
      assert.deepStrictEqual(
        after.map((one) => ({ ...one, head: asked })),
        before
      )
    }
  )
})

describe("indexes behind their chain", () => {
  it("are named with their errors, and none where all are at the head", () => {
    const [index] = sampleStatus.indexes
    if (index === undefined) return assert.fail("the sample is empty")
    const current = { ...index, key: "a/b", state: "realtime" as const, lastError: "It is over." }
    assert.isUndefined(describeLateIndexes([current]))
    assert.strictEqual(
      describeLateIndexes([
        index,
        current,
        { ...index, key: "c/d", head: null, indexed: null, lastError: "No node answers." }
      ]),
      "These indexes are not at the head of their chain: uniswap-v3/devnet (historical, block 1000 of 2000), " +
        "c/d (historical, block none of unknown). Index c/d: No node answers."
    )
  })
})
