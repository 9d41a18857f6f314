import type { RpcCall } from "../../../blocks/rpc/RpcCall.ts"
import type { PoolFacts } from "./ChainFacts.ts"
import { readPoolFacts, selectors } from "./ContractCall.ts"

// One call in place of three per pool: the call creates a contract (which an `eth_call` does not store), and its init
// code calls the pools, whose addresses follow the code, and returns the results. It reverts as a whole if a pool
// fails.

/** The result may not be longer than a contract's code: 24,576 bytes. */
export const poolsPerProgram = 100

/** 32 bytes each: price, tick, observation index, and the two fee growths. */
const wordsPerPool = 5

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

const assemble = (loop: number, body: number, failure: number, length: number): string =>
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
    ask(selectors.slot0, 96, failure),
    ask(selectors.feeGrowthGlobal0X128, 32, failure),
    ask(selectors.feeGrowthGlobal1X128, 32, failure),
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
/** Labels have a fixed width, whatever their value. */
const length = assemble(0, 0, 0, 0).length / 2
const program = assemble(loop, body, length - 6, length)

export const poolsCall = (hash: string, pools: ReadonlyArray<string>): RpcCall => ({
  method: "eth_call",
  params: [
    { data: `0x${program}${pools.map((pool) => pool.slice(2).padStart(64, "0")).join("")}` },
    { blockHash: hash }
  ],
  mayFail: true
})

/** The results of the pools in the order of the call; undefined if their number differs from the number of pools. */
export const readPools = (reply: unknown, pools: ReadonlyArray<string>): ReadonlyMap<string, PoolFacts> | undefined => {
  if (typeof reply !== "string" || reply.length !== 2 + pools.length * wordsPerPool * 64) return undefined
  const facts = new Map<string, PoolFacts>()
  for (const [index, pool] of pools.entries()) {
    const start = 2 + index * wordsPerPool * 64
    const part = (from: number, to: number) => `0x${reply.slice(start + from * 64, start + to * 64)}`
    const stated = readPoolFacts(part(0, 3), part(3, 4), part(4, 5))
    if (stated === undefined) return undefined
    facts.set(pool, stated)
  }
  return facts
}
