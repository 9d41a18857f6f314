import { assert } from "@effect/vitest"
import type { Vitest } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { runsMany } from "../Cases.ts"
import type { RunningService } from "../RunningService.ts"
import type { ExpectedLine } from "./index/synthetic/ScenarioChain.ts"
import { answer, base, Rows, toRows } from "./IndexedService.ts"
import { Recorded, tradesUpTo } from "./RecordedService.ts"

type Fields = ExpectedLine["fields"]

const decodeTrades = Schema.decodeUnknownEffect(Schema.Struct({ burns: Rows, mints: Rows, swaps: Rows }))

const byId = (rows: ReadonlyArray<Fields>) => [...rows].toSorted((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1))

/** The token inside a pool is that of the list without one field. */
const asNested = ({ totalValueLockedUSDUntracked: _, ...token }: Fields) => token

/** The state at a block: for each entity its last line up to it. */
const stateAt = (lines: ReadonlyArray<ExpectedLine>, block: number) => {
  const last = new Map<string, ExpectedLine>()
  for (const line of lines) if (line.block <= block) last.set(`${line.type} ${line.id}`, line)
  const of = (type: ExpectedLine["type"]) => [...last.values()].filter((line) => line.type === type)
  const tokens = new Map(of("token").map(({ fields, id }) => [id, fields]))
  const nestedToken = (id: unknown) => asNested(tokens.get(String(id)) ?? {})
  return {
    deployments: of("factory").map(({ fields }) => fields),
    tokens: byId([...tokens.values()]),
    pools: byId(
      of("pool").map(({ fields }) => ({
        ...fields,
        tick: fields["tick"] ?? "",
        token0: nestedToken(fields["token0"]),
        token1: nestedToken(fields["token1"])
      }))
    )
  }
}

const compareTrades = Effect.fnUntraced(function* (lines: ReadonlyArray<ExpectedLine>, block: number) {
  const records = tradesUpTo(lines, block)
  for (const pool of new Set(records.map((line) => line.pool))) {
    const body = yield* answer(`${base}/pool/${pool}/trades?block=${block}&limit=1000`)
    const { burns, mints, swaps } = yield* decodeTrades(body)
    const ofKind = (kind: string) =>
      records.filter((line) => line.pool === pool && line.type === kind).map(({ fields }) => fields)
    assert.deepStrictEqual(burns, ofKind("burn"), `burns of ${pool} at ${block}`)
    assert.deepStrictEqual(mints, ofKind("mint"), `mints of ${pool} at ${block}`)
    assert.deepStrictEqual(swaps, ofKind("swap"), `swaps of ${pool} at ${block}`)
  }
})

/** A part of the blocks of a long chain, and all of the oldest and newest ones. */
const isCompared = (block: number, first: number, head: number) =>
  runsMany || head - first < 100 || block % 8 === 0 || block < first + 16 || block > head - 16

/** The laws of the state of a recorded chain as of each of its blocks. */
export const stateLaws = (it: Vitest.MethodsNonLive<Recorded | RunningService>): void => {
  it.effect(
    "every value is the recorded one",
    () =>
      Effect.gen(function* () {
        const { first, head, lines } = yield* Recorded
        for (let block = first; block <= head; block++) {
          if (!isCompared(block, first, head)) continue
          const expected = stateAt(lines, block)
          const at = `?block=${block}`
          assert.deepStrictEqual(yield* toRows(`${base}${at}`), expected.deployments, `totals at ${block}`)
          const tokens = yield* toRows(`${base}/tokens${at}&limit=1000`)
          assert.deepStrictEqual(byId(tokens), expected.tokens, `tokens at ${block}`)
          const pools = yield* toRows(`${base}/pools${at}&limit=1000`)
          assert.deepStrictEqual(byId(pools), expected.pools, `pools at ${block}`)
          if (block % (runsMany ? 16 : 48) === 0 || block === head) yield* compareTrades(lines, block)
        }
      }),
    300_000
  )
}
