import { Effect, Ref, Semaphore } from "effect"
import { type Deployment, everyone } from "../contracts/Deployment.ts"
import { type ActivityCount, count, noActivity } from "../market/ActivityCount.ts"
import { applyReceipts, emptyState, type MarketState } from "../market/MarketState.ts"
import type { RandomDraws } from "../market/RandomDraws.ts"
import type { BlockHead, Chain, MinedBlock } from "../node/Chain.ts"
import { DevnetError } from "../node/DevnetError.ts"
import { toRequest, type Transaction, type TransactionRequest } from "../node/Transaction.ts"
import { plan } from "./Bots.ts"

/** The chain with its bots. Operations run one at a time. */
export interface TradedChain {
  /** Mines one block with these transactions of accounts that anvil holds. Later reorgs cannot go back before it. */
  readonly run: (transactions: ReadonlyArray<Transaction>) => Effect.Effect<BlockHead, DevnetError>
  /** Mines one block of bot activity. */
  readonly step: Effect.Effect<BlockHead, DevnetError>
  /** Mines blocks without bot activity. */
  readonly mine: (count: number) => Effect.Effect<BlockHead, DevnetError>
  /** Replaces the last `depth` blocks (at most 512) by others; the number of the head stays. */
  readonly reorg: (depth: number) => Effect.Effect<BlockHead, DevnetError>
  /** Takes the last `depth` blocks (at most 512) away. */
  readonly removeBlocks: (depth: number) => Effect.Effect<BlockHead, DevnetError>
  readonly stats: Effect.Effect<ActivityCount>
}

/** How many blocks can be removed or replaced. */
const memory = 512

interface Knowledge {
  readonly head: BlockHead
  readonly state: MarketState
  /** The state after each of the latest blocks, by number. */
  readonly past: ReadonlyMap<number, MarketState>
  readonly counted: ActivityCount
}

const remember = (past: Knowledge["past"], number: number, state: MarketState): Knowledge["past"] => {
  const next = new Map(past).set(number, state)
  for (const known of next.keys()) {
    if (known <= number - memory || known > number) next.delete(known)
  }
  return next
}

/** Assigns every transaction its sender's next nonce. */
const assignNonces = (state: MarketState, transactions: ReadonlyArray<Transaction>) => {
  const nonces = new Map(state.nonces)
  const requests = transactions.map((transaction, index): TransactionRequest => {
    const nonce = nonces.get(transaction.from) ?? 0
    nonces.set(transaction.from, nonce + 1)
    return toRequest(transaction, nonce, index)
  })
  return { requests, nonces }
}

/**
 * Plans several blocks without knowing the results of earlier ones: each touches only positions that the earlier ones
 * leave alone.
 */
const planBranch = (
  deployment: Deployment,
  before: MarketState,
  draws: RandomDraws,
  { activity, length }: { readonly activity: number; readonly length: number }
) => {
  let state = before
  return Array.from({ length }, (_, offset) => {
    const { busy, drift, transactions } = plan(deployment, state, draws, { activity, blind: offset > 0 })
    const { nonces, requests } = assignNonces(state, transactions)
    const positions = new Map([...state.positions].filter(([tokenId]) => !busy.includes(tokenId)))
    state = { ...state, positions, nonces, drift }
    return { requests, nonces, drift }
  })
}

interface TradedChainOptions {
  readonly chain: Chain
  readonly deployment: Deployment
  readonly draws: RandomDraws
  readonly activity: number
  /** The timestamp of the block after this one. */
  readonly nextTimestamp: (head: BlockHead) => Effect.Effect<number>
}

/** The knowledge of the bots about the chain, and the function that adds a block to it. */
const makeKnowledge = Effect.fnUntraced(function* ({ chain, deployment }: TradedChainOptions) {
  const head = yield* chain.head
  const knowledge = yield* Ref.make<Knowledge>({
    head,
    state: emptyState,
    past: new Map([[head.number, emptyState]]),
    counted: noActivity
  })
  const learn = (block: MinedBlock, sent: number, before: MarketState) =>
    Ref.update(knowledge, ({ counted, past }) => {
      const state = applyReceipts(before, deployment, block.receipts)
      return {
        head: block.head,
        state,
        past: remember(past, block.head.number, state),
        counted: count(counted, sent, block.receipts)
      }
    })
  return { knowledge, learn }
})

type Known = Effect.Success<ReturnType<typeof makeKnowledge>>

/** Operations that extend the chain. */
const makeMining = (options: TradedChainOptions, { knowledge, learn }: Known) => {
  const { activity, chain, deployment, draws } = options

  const mineWith = Effect.fnUntraced(function* (
    transactions: ReadonlyArray<Transaction>,
    drift?: MarketState["drift"]
  ) {
    const { head, state } = yield* Ref.get(knowledge)
    const { nonces, requests } = assignNonces(state, transactions)
    const block = yield* chain.mine(requests, yield* options.nextTimestamp(head))
    yield* learn(block, requests.length, { ...state, nonces, drift: drift ?? state.drift })
    return block.head
  })

  return {
    run: Effect.fnUntraced(function* (transactions: ReadonlyArray<Transaction>) {
      const head = yield* mineWith(transactions)
      yield* Ref.update(knowledge, (known) => ({ ...known, past: new Map([[head.number, known.state]]) }))
      return head
    }),
    step: Effect.suspend(() =>
      Effect.flatMap(Ref.get(knowledge), ({ state }) => {
        const { drift, transactions } = plan(deployment, state, draws, { activity, blind: false })
        return mineWith(transactions, drift)
      })
    ),
    mine: Effect.fnUntraced(function* (count: number) {
      yield* chain.mineIdle(count)
      const head = yield* chain.head
      yield* Ref.update(knowledge, (known) => {
        let past = known.past
        for (let number = Math.max(known.head.number + 1, head.number - memory); number <= head.number; number++) {
          past = remember(past, number, known.state)
        }
        return { ...known, head, past }
      })
      return head
    })
  }
}

/** Operations that remove or replace the last blocks of the chain. */
const makeReplacing = ({ activity, chain, deployment, draws }: TradedChainOptions, { knowledge, learn }: Known) => {
  /** The state `depth` blocks ago. */
  const getStateBefore = Effect.fnUntraced(function* (depth: number): Effect.fn.Return<MarketState, DevnetError> {
    const { head, past } = yield* Ref.get(knowledge)
    const state = Number.isInteger(depth) && depth > 0 ? past.get(head.number - depth) : undefined
    if (state !== undefined) return state
    return yield* new DevnetError({
      reason: "InvalidDepth",
      message:
        `The devnet can't go back ${depth} blocks from block ${head.number}. ` +
        `Choose a whole number from 1 to ${Math.max(0, past.size - 1)}.`
    })
  })

  return {
    removeBlocks: Effect.fnUntraced(function* (depth: number) {
      const state = yield* getStateBefore(depth)
      yield* chain.removeBlocks(depth)
      const head = yield* chain.head
      yield* Ref.update(knowledge, (known) => ({
        ...known,
        head,
        state,
        past: remember(known.past, head.number, state)
      }))
      return head
    }),
    reorg: Effect.fnUntraced(function* (depth: number) {
      let state = yield* getStateBefore(depth)
      const first = (yield* Ref.get(knowledge)).head.number - depth + 1
      const branch = planBranch(deployment, state, draws, { activity, length: depth })
      yield* chain.reorg(branch.map(({ requests }) => requests))
      const receipts = yield* chain.receipts(branch.map((_, offset) => first + offset))
      const head = yield* chain.head
      for (const [offset, { drift, nonces, requests }] of branch.entries()) {
        const block = { head: { ...head, number: first + offset }, receipts: receipts[offset] ?? [] }
        yield* learn(block, requests.length, { ...state, nonces, drift })
        state = (yield* Ref.get(knowledge)).state
      }
      return head
    })
  }
}

export const makeTradedChain = Effect.fnUntraced(function* (
  options: TradedChainOptions
): Effect.fn.Return<TradedChain, DevnetError> {
  const { chain, deployment } = options
  const known = yield* makeKnowledge(options)
  const { knowledge } = known
  const { mine, run, step } = makeMining(options, known)
  const { removeBlocks, reorg } = makeReplacing(options, known)

  /** After a failure it is unknown which transactions reached the chain. */
  const recover = Effect.gen(function* () {
    const nonces = yield* chain.recover(everyone(deployment.cast))
    const head = yield* chain.head
    yield* Ref.update(knowledge, (before) => ({ ...before, head, state: { ...before.state, nonces } }))
  })

  const turn = Semaphore.makeUnsafe(1)
  /** One operation at a time, uninterrupted: half a block would leave the bots with wrong nonces. */
  const oneAtATime = <A>(work: Effect.Effect<A, DevnetError>) =>
    work.pipe(
      Effect.tapError((error) => (error.reason === "Rpc" ? Effect.ignore(recover) : Effect.void)),
      Effect.uninterruptible,
      turn.withPermit
    )

  return {
    run: (transactions) => oneAtATime(run(transactions)),
    step: oneAtATime(step),
    mine: (count) => oneAtATime(mine(count)),
    reorg: (depth) => oneAtATime(reorg(depth)),
    removeBlocks: (depth) => oneAtATime(removeBlocks(depth)),
    stats: Effect.map(Ref.get(knowledge), ({ counted }) => counted)
  }
})
