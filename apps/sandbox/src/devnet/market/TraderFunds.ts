import { Record } from "effect"
import type { Address } from "viem"
import { encodeFunctionData, parseAbi } from "viem/utils"
import { tokenAbi, wrappedEtherAbi } from "../contracts/Abi.ts"
import type { Deployment } from "../contracts/Deployment.ts"
import type { Transaction } from "../node/Transaction.ts"
import { type Prices, toRaw } from "./Price.ts"

const mintAbi = parseAbi(["function mint(address to, uint256 value)"])

/** What a trader contract holds of each token, in USD. */
const shareUsd = 400e6

/** The owner's transactions that give a contract an initial balance of each token. */
export const fundTrader = (deployment: Deployment, trader: Address, prices: Prices): ReadonlyArray<Transaction> => {
  const {
    cast: { owner: from },
    tokens: { WETH, ...others }
  } = deployment
  const share = toRaw(WETH, prices, shareUsd)
  return [
    ...Record.values(others).map((token): Transaction => ({
      from,
      to: token.address,
      data: encodeFunctionData({ abi: mintAbi, args: [trader, toRaw(token, prices, shareUsd)] }),
      gas: 100_000
    })),
    { from, to: WETH.address, data: encodeFunctionData({ abi: wrappedEtherAbi }), value: share, gas: 100_000 },
    {
      from,
      to: WETH.address,
      data: encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [trader, share] }),
      gas: 100_000
    }
  ]
}
