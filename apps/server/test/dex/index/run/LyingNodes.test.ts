import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, SubscriptionRef } from "effect"
import { casesOf } from "../../../Cases.ts"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import { makeDraws } from "../synthetic/SyntheticChain.ts"
import { findTruth, grow, startOn, syntheticConfig } from "../synthetic/SyntheticIndex.ts"
import { SyntheticNode } from "../synthetic/SyntheticNode.ts"
import type { Call, Reply } from "../synthetic/SyntheticNode.ts"

const seeds = casesOf("CHAINTAPE_LIES", { few: 40, many: 1000 })
const blocks = 200
const finality = 10

type Draw = (bound: number) => number
type Item = Readonly<Record<string, unknown>>

const flip = (data: unknown, draw: Draw): string => {
  const text = String(data)
  if (text.length < 4) return `${text}00`
  const at = 2 + draw(text.length - 2)
  return `${text.slice(0, at)}${text[at] === "f" ? "e" : "f"}${text.slice(at + 1)}`
}

/** Ways to change a list of logs. The choice of logs follows from the seed and their contents, so that a lie is repeated. */
const lies: Readonly<
  Record<string, (logs: ReadonlyArray<Item>, isChosen: (log: Item) => boolean, draw: Draw) => unknown>
> = {
  omits: (logs, isChosen) => logs.filter((log) => !isChosen(log)),
  alters: (logs, isChosen, draw) =>
    logs.map((log) => (isChosen(log) ? { ...log, data: flip(log["data"], draw) } : log)),
  repeats: (logs, isChosen) => logs.flatMap((log) => (isChosen(log) ? [log, log] : [log])),
  reorders: (logs, isChosen) => {
    const chosen = logs.filter(isChosen)
    const indices = chosen.map(({ logIndex }) => logIndex).toReversed()
    let next = 0
    return logs.map((log) => (isChosen(log) ? { ...log, logIndex: indices[next++] } : log))
  },
  empties: () => []
}

const hashOf = (seed: number, log: Item): number => {
  let sum = seed
  for (const letter of `${String(log["data"])}${String(log["topics"])}`) {
    sum = (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0
  }
  return sum
}

const items = ({ result }: Reply): ReadonlyArray<Item> => (Array.isArray(result) ? result : [])

interface Lie {
  readonly kind: string
  readonly inReceipts: boolean
  readonly distort: (call: Call, reply: Reply) => Reply
}

const makeLie = (seed: number, draw: Draw): Lie => {
  const kinds = Object.keys(lies)
  const kind = kinds[draw(kinds.length)] ?? "omits"
  const inReceipts = draw(3) === 0
  const oneIn = [1, 2, 5, 20][draw(4)] ?? 1
  const isChosen = (log: Item) => hashOf(seed, log) % oneIn === 0
  const lie = (logs: ReadonlyArray<Item>) => lies[kind]?.(logs, isChosen, draw) ?? logs
  return {
    kind,
    inReceipts,
    distort: ({ method }, reply) => {
      if (method === "eth_getLogs") return { result: lie(items(reply)) }
      if (!inReceipts || method !== "eth_getBlockReceipts") return reply
      return {
        result: items(reply).map((receipt) => {
          const logs = receipt["logs"]
          return Array.isArray(logs) ? { ...receipt, logs: lie(logs) } : receipt
        })
      }
    }
  }
}

const toFailures = <A, E>(exit: Exit.Exit<A, E>): ReadonlyArray<string> =>
  Exit.isFailure(exit) ? [String(Cause.squash(exit.cause))] : []

/** Follows the chain and proves it, until both are done or nothing changes any more. Returns the last failures. */
const settle = Effect.fnUntraced(function* (indexer: Effect.Success<ReturnType<typeof startOn>>, head: number) {
  let failures: ReadonlyArray<string> = []
  for (let turn = 0; turn < 60; turn++) {
    failures = [...toFailures(yield* Effect.exit(indexer.step)), ...toFailures(yield* Effect.exit(indexer.prove))]
    const { indexed, proven } = yield* SubscriptionRef.get(indexer.status)
    if (failures.length === 0 && indexed === head && proven === head) return failures
  }
  return failures
})

const oneLie = Effect.fnUntraced(function* (seed: number) {
  const draw = makeDraws(seed)
  const lie = makeLie(seed, draw)
  const liar = new SyntheticNode()
  liar.setBranch(0, grow(liar.head, blocks, seed))
  liar.runsPrograms = draw(2) === 0
  const hasHonest = draw(2) === 0
  const honest = new SyntheticNode()
  honest.setBranch(0, liar.canonical.slice(1))
  const config = syntheticConfig(finality, hasHonest ? 2 : 1)
  const store = makeMemoryEntityStore()
  const truth = yield* findTruth(liar, config, blocks)
  liar.distort = lie.distort
  const size = [3, 20, 500][draw(3)] ?? 20
  const indexer = yield* startOn({ one: liar, two: honest }, store.service, config, size, 1 + draw(3))
  const failures = yield* settle(indexer, blocks)
  const { proven } = yield* SubscriptionRef.get(indexer.status)
  const name = `seed ${seed}: a node that ${lie.kind} logs${lie.inReceipts ? ", in receipts too" : ""}`
  if (failures.length > 0) {
    assert.isTrue(lie.inReceipts && !hasHonest, `${name}: ${failures.join(" ")}`)
    assert.match(failures.join(" "), /block \d+/, name)
    return "stopped"
  }
  assert.strictEqual(proven, blocks, name)
  assert.deepStrictEqual(store.index(config.key).contents, truth, name)
  return "true"
})

describe("an index of a node that lies about logs", () => {
  it.live(
    `has the truth, or stops and names the block, with ${seeds} seeds`,
    () =>
      Effect.gen(function* () {
        const outcomes = yield* Effect.forEach(
          Array.from({ length: seeds }, (_, index) => index + 1),
          oneLie
        )
        assert.include(outcomes, "true")
        assert.include(outcomes, "stopped")
      }),
    120_000 + seeds * 3000
  )
})
