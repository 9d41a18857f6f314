import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { withKnownHeads } from "../../src/observability/KnownHeads.ts"
import type { IndexStatus } from "../../src/sources/IndexStatuses.ts"
import type { SourceState } from "../../src/sources/SourceHealth.ts"

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

  it.prop(
    "are never behind the index, and nothing else of a source changes",
    [Height, Height, Height, Height],
    ([asked, stated, indexed, other]) => {
      const before = [source("devnet", "blockchain", asked), source("a/devnet", "dex", asked)]
      const after = withKnownHeads(before, [index("a/devnet", stated, indexed), index("b/devnet", other, null)])
      assert.deepStrictEqual(toHeads(after), [
        ["devnet", newest(asked, stated, indexed, other)],
        ["a/devnet", newest(asked, stated, indexed)]
      ])
      assert.deepStrictEqual(
        after.map((one) => ({ ...one, head: asked })),
        before
      )
    }
  )
})
