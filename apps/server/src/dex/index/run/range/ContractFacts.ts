import { Effect } from "effect"
import type { BlockSourceError } from "../../../../blocks/BlockSource.ts"
import { RpcFault, toErrorText } from "../../../../blocks/rpc/RpcCall.ts"
import type { RpcCall } from "../../../../blocks/rpc/RpcCall.ts"
import type { AccountingRules } from "../../accounting/AccountingRules.ts"
import type { ChainReader } from "../../chain/ChainReader.ts"
import { poolsToAsk, readPoolsByBlock } from "../../chain/PoolReads.ts"
import type { StatedFacts, TokenFacts } from "../../decode/ChainFacts.ts"
import {
  callAt,
  isOfContract,
  readAddress,
  readDecimals,
  readText,
  readUint,
  selectors
} from "../../decode/ContractCall.ts"
import type { BlockPlan } from "./BlockPlan.ts"

/** The values of the contracts after a block. */
export interface ContractFacts {
  readonly tokens: ReadonlyMap<string, TokenFacts>
  readonly pools: ReadonlyMap<string, StatedFacts>
  readonly owner: string | undefined
}

const ofToken = [selectors.symbol, selectors.name, selectors.decimals, selectors.totalSupply]

/** Everything except the pools. */
const toCalls = (rules: AccountingRules, { hash, newTokens, wantsOwner }: BlockPlan) => [
  ...[...newTokens].flatMap((token) =>
    ofToken.map((data): RpcCall => ({ ...callAt(hash, token, data), mayFail: true }))
  ),
  ...(wantsOwner && rules.protocol.hasOwner ? [callAt(hash, rules.factory, selectors.owner)] : [])
]

const tokenFacts = (rules: AccountingRules, token: string, replies: ReadonlyArray<unknown>): TokenFacts => {
  const override = rules.tokenOverrides.get(token)
  return {
    symbol: override?.symbol ?? readText(replies[0]),
    name: override?.name ?? readText(replies[1]),
    decimals: override?.decimals ?? readDecimals(replies[2]),
    supply: (readUint(replies[3]) ?? 0n).toString()
  }
}

const decodeTokens = Effect.fnUntraced(function* (
  reader: ChainReader,
  rules: AccountingRules,
  plans: ReadonlyArray<BlockPlan>,
  replies: ReadonlyArray<unknown>
) {
  const fault = replies.find((reply) => reply instanceof RpcFault && !isOfContract(reply))
  if (fault instanceof RpcFault) return yield* reader.bad(toErrorText(fault))
  let next = 0
  const take = (count: number) => replies.slice(next, (next += count))
  const facts: Array<Omit<ContractFacts, "pools">> = []
  for (const { newTokens, wantsOwner } of plans) {
    const tokens = new Map<string, TokenFacts>()
    for (const token of newTokens) tokens.set(token, tokenFacts(rules, token, take(ofToken.length)))
    const isAsked = wantsOwner && rules.protocol.hasOwner
    const owner = isAsked ? readAddress(take(1)[0]) : undefined
    if (isAsked && owner === undefined) return yield* reader.bad("states no owner of the factory")
    facts.push({ tokens, owner })
  }
  return facts
})

const readTokens = Effect.fnUntraced(function* (
  reader: ChainReader,
  rules: AccountingRules,
  plans: ReadonlyArray<BlockPlan>
): Effect.fn.Return<ReadonlyArray<Omit<ContractFacts, "pools">>, BlockSourceError> {
  const calls = plans.flatMap((plan) => toCalls(rules, plan))
  return yield* reader.calls(calls, (replies) => decodeTokens(reader, rules, plans, replies))
})

/**
 * Reads everything that the plans need: pools that `isAsked` names after every block, the others after the last one.
 */
export const readContractFacts = Effect.fnUntraced(function* (
  reader: ChainReader,
  rules: AccountingRules,
  plans: ReadonlyArray<BlockPlan>,
  isAsked: (pool: string) => boolean
): Effect.fn.Return<ReadonlyArray<ContractFacts>, BlockSourceError> {
  const [others, pools] = yield* Effect.all(
    [readTokens(reader, rules, plans), readPoolsByBlock(reader, rules.protocol.state, poolsToAsk(plans, isAsked))],
    { concurrency: 2 }
  )
  return others.map((facts, index) => ({ ...facts, pools: pools[index] ?? new Map() }))
})
