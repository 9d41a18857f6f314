import type { RpcCall } from "../../../blocks/rpc/RpcCall.ts"
import type { StatedFacts } from "./ChainFacts.ts"
import { selectors } from "./ContractCall.ts"
import type { PoolCall, PoolState } from "./PoolState.ts"

// One call instead of several per pool: the call creates a contract (which an `eth_call` does not store), and its init
// code calls the pools, whose addresses follow the code, and returns the results. It reverts as a whole if a pool
// fails.

/** The result may not be longer than a contract's code: 24,576 bytes, and less on some chains. */
const wordsPerProgram = 500

/** The numbers of words of the results. */
const toLengths = ({ calls, hasBalances = false }: PoolState): ReadonlyArray<number> => [
  ...calls.map(({ words }) => words),
  ...(hasBalances ? [1, 1] : [])
]

const countWords = (state: PoolState): number => toLengths(state).reduce((sum, words) => sum + words, 0)

export const poolsPerProgram = (state: PoolState): number => Math.floor(wordsPerProgram / countWords(state))

const push1 = (value: number) => `60${value.toString(16).padStart(2, "0")}`
const push2 = (value: number) => `61${value.toString(16).padStart(4, "0")}`

// The stack is, before and after each of these: pool, offset of its address, end of the output.

const selector = (digits: string): string => [`63${digits.slice(2)}`, push1(0xe0), "1b"].join("")

/** Fails unless a call, whose outcome is on the stack, returned as much as expected. */
const expect = (bytes: number, failure: number): string =>
  [push1(bytes - 1), "3d", "11", "16", "15", push2(failure), "57"].join("")

/** Moves the end of the output. */
const append = (bytes: number): string => ["91", push1(bytes), "01", "91"].join("")

/** Calls the pool, and writes the first words of its result to the offset that `output` pushes. */
const callPool = (name: string, bytes: number, output: string, failure: number): string =>
  [
    selector(name),
    push1(0),
    "52", // the selector to the start of the memory
    push1(bytes),
    output,
    push1(4),
    push1(0),
    "84",
    "5a",
    "fa", // STATICCALL
    expect(bytes, failure)
  ].join("")

/** Appends the first words of a result of the pool. */
const ask = ({ selector: name, words }: PoolCall, failure: number): string =>
  [callPool(name, 32 * words, "83", failure), append(32 * words)].join("")

/** Appends what the pool holds of a token, whose address the pool states. */
const askBalance = (token: string, failure: number): string =>
  [
    callPool(token, 32, push1(0), failure), // the token to the start of the memory
    selector(selectors.balanceOf),
    "83",
    "52",
    "80",
    "83",
    push1(4),
    "01",
    "52", // the selector and the pool to the end of the output
    push1(32),
    "83",
    push1(36),
    "81",
    push1(0),
    "51",
    "5a",
    "fa", // STATICCALL of the token, its result replaces them
    expect(32, failure),
    append(32)
  ].join("")

const assemble = (
  { calls, hasBalances = false }: PoolState,
  loop: number,
  body: number,
  failure: number,
  length: number
): string =>
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
    ...calls.map((call) => ask(call, failure)),
    ...(hasBalances ? [selectors.token0, selectors.token1].map((token) => askBalance(token, failure)) : []),
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
    const stated = state.read(toLengths(state).map(take))
    if (stated === undefined) return undefined
    facts.set(pool, stated)
  }
  return facts
}
