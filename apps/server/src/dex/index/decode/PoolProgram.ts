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

/** The instructions of the program. */
const op = {
  add: "01",
  sub: "03",
  gt: "11",
  iszero: "15",
  and: "16",
  shl: "1b",
  codesize: "38",
  codecopy: "39",
  returndatasize: "3d",
  pop: "50",
  mload: "51",
  mstore: "52",
  jump: "56",
  jumpi: "57",
  gas: "5a",
  jumpdest: "5b",
  push1: "60",
  push2: "61",
  push4: "63",
  dup1: "80",
  dup2: "81",
  dup4: "83",
  dup5: "84",
  swap1: "90",
  swap2: "91",
  return: "f3",
  staticcall: "fa",
  revert: "fd"
} as const

const assemble = (...parts: ReadonlyArray<string>): string => parts.join("")
const push1 = (value: number) => `${op.push1}${value.toString(16).padStart(2, "0")}`
const push2 = (value: number) => `${op.push2}${value.toString(16).padStart(4, "0")}`

// The stack is, before and after each of these: pool, offset of its address, end of the output.

/** Pushes a selector as the first bytes of a word. */
const selector = (digits: string): string => assemble(op.push4, digits.slice(2), push1(0xe0), op.shl)

/** Fails unless a call, whose outcome is on the stack, returned as much as expected. */
const revertUnless = (bytes: number, failure: number): string =>
  assemble(push1(bytes - 1), op.returndatasize, op.gt, op.and, op.iszero, push2(failure), op.jumpi)

/** Moves the end of the output. */
const append = (bytes: number): string => assemble(op.swap2, push1(bytes), op.add, op.swap2)

/** Calls the pool, and writes the first words of its result to the offset that `output` pushes. */
const callPool = (name: string, bytes: number, output: string, failure: number): string =>
  assemble(
    assemble(selector(name), push1(0), op.mstore), // the selector to the start of the memory
    assemble(push1(bytes), output, push1(4), push1(0), op.dup5, op.gas, op.staticcall),
    revertUnless(bytes, failure)
  )

/** Appends the first words of a result of the pool. */
const appendResult = ({ selector: name, words }: PoolCall, failure: number): string =>
  assemble(callPool(name, 32 * words, op.dup4, failure), append(32 * words))

/** Appends what the pool holds of a token, whose address the pool states. */
const appendBalance = (token: string, failure: number): string =>
  assemble(
    callPool(token, 32, push1(0), failure), // the token to the start of the memory
    assemble(selector(selectors.balanceOf), op.dup4, op.mstore), // the selector to the end of the output,
    assemble(op.dup1, op.dup4, push1(4), op.add, op.mstore), // and the pool after it
    assemble(push1(32), op.dup4, push1(36), op.dup2, push1(0), op.mload, op.gas, op.staticcall), // the result replaces them
    revertUnless(32, failure),
    append(32)
  )

/** Offsets in the program, in bytes. */
interface Labels {
  readonly loop: number
  readonly body: number
  readonly failure: number
  /** The end of the program, where the addresses begin. */
  readonly end: number
}

/** The parts of the program. Their lengths do not depend on the labels. */
const toParts = ({ calls, hasBalances = false }: PoolState, { body, end, failure, loop }: Labels) => ({
  // The output begins after the first word.
  start: assemble(push1(0x20), push2(end)),
  // While there are addresses, or else the output is returned.
  loop: assemble(
    assemble(op.jumpdest, op.dup1, op.codesize, op.gt, push2(body), op.jumpi),
    assemble(op.pop, push1(0x20), op.swap1, op.sub, push1(0x20), op.return)
  ),
  body: assemble(
    assemble(op.jumpdest, push1(0x20), op.dup2, push1(0), op.codecopy, push1(0), op.mload), // the pool
    ...calls.map((call) => appendResult(call, failure)),
    ...(hasBalances ? [selectors.token0, selectors.token1].map((token) => appendBalance(token, failure)) : []),
    assemble(op.pop, push1(0x20), op.add, push2(loop), op.jump) // the next pool
  ),
  failure: assemble(op.jumpdest, push1(0), push1(0), op.revert)
})

const countBytes = (part: string): number => part.length / 2

const toLabels = (state: PoolState): Labels => {
  const parts = toParts(state, { loop: 0, body: 0, failure: 0, end: 0 })
  const loop = countBytes(parts.start)
  const body = loop + countBytes(parts.loop)
  const failure = body + countBytes(parts.body)
  return { loop, body, failure, end: failure + countBytes(parts.failure) }
}

const toProgram = (state: PoolState): string => {
  const { body, failure, loop, start } = toParts(state, toLabels(state))
  return assemble(start, loop, body, failure)
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
