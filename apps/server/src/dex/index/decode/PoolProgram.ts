import type { RpcCall } from "../../../blocks/rpc/RpcCall.ts"
import type { StatedFacts } from "./ChainFacts.ts"
import type { PoolState } from "./PoolState.ts"

// One call instead of several per pool: the call creates a contract (which an `eth_call` does not store), and its init
// code calls the pools, whose addresses follow the code, and returns the results. It reverts as a whole if a pool
// fails.

/** The result may not be longer than a contract's code: 24,576 bytes, and less on some chains. */
const wordsPerProgram = 500

const countWords = ({ calls }: PoolState): number => calls.reduce((sum, { words }) => sum + words, 0)

export const poolsPerProgram = (state: PoolState): number => Math.floor(wordsPerProgram / countWords(state))

const push1 = (value: number) => `60${value.toString(16).padStart(2, "0")}`
const push2 = (value: number) => `61${value.toString(16).padStart(4, "0")}`

/**
 * Calls the pool and appends the first words of its result. The stack is: pool, offset of its address, end of the
 * output.
 */
const ask = (selector: string, bytes: number, failure: number): string =>
  [
    `63${selector.slice(2)}`,
    push1(0xe0),
    "1b",
    push1(0),
    "52", // the selector to the start of the memory
    push1(bytes),
    "83",
    push1(4),
    push1(0),
    "84",
    "5a",
    "fa", // STATICCALL, its answer to the end of the output
    push1(bytes - 1),
    "3d",
    "11",
    "16",
    "15",
    push2(failure),
    "57", // fails unless it returned as much as expected
    "91",
    push1(bytes),
    "01",
    "91" // moves the end of the output
  ].join("")

const assemble = ({ calls }: PoolState, loop: number, body: number, failure: number, length: number): string =>
  [
    push1(0x20),
    push2(length), // the output begins after the first word, the addresses after the code
    "5b",
    "80",
    "38",
    "11",
    push2(body),
    "57", // loop: while there are addresses
    "50",
    push1(0x20),
    "90",
    "03",
    push1(0x20),
    "f3", // RETURN
    "5b",
    push1(0x20),
    "81",
    push1(0),
    "39",
    push1(0),
    "51", // body: the pool
    ...calls.map(({ selector, words }) => ask(selector, 32 * words, failure)),
    "50",
    push1(0x20),
    "01",
    push2(loop),
    "56", // the next pool
    "5b",
    push1(0),
    push1(0),
    "fd" // failure
  ].join("")

const loop = 5
const body = 21

const toProgram = (state: PoolState): string => {
  // Labels have a fixed width, whatever their value.
  const length = assemble(state, 0, 0, 0, 0).length / 2
  return assemble(state, loop, body, length - 6, length)
}

export const poolsCall = (state: PoolState, hash: string, pools: ReadonlyArray<string>): RpcCall => ({
  method: "eth_call",
  params: [
    { data: `0x${toProgram(state)}${pools.map((pool) => pool.slice(2).padStart(64, "0")).join("")}` },
    { blockHash: hash }
  ],
  mayFail: true
})

/** The results of the pools in the order of the call; undefined if their number differs from the number of pools. */
export const readPools = (
  state: PoolState,
  reply: unknown,
  pools: ReadonlyArray<string>
): ReadonlyMap<string, StatedFacts> | undefined => {
  if (typeof reply !== "string" || reply.length !== 2 + pools.length * countWords(state) * 64) return undefined
  const facts = new Map<string, StatedFacts>()
  let next = 2
  const take = (words: number) => `0x${reply.slice(next, (next += words * 64))}`
  for (const pool of pools) {
    const stated = state.read(state.calls.map(({ words }) => take(words)))
    if (stated === undefined) return undefined
    facts.set(pool, stated)
  }
  return facts
}
