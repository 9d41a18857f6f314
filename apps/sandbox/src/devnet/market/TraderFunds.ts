import { Record } from "effect"
import type { Address } from "viem"
import { parseAbi } from "viem/utils"
import { tokenAbi, wrappedEtherAbi } from "../contracts/Abi.ts"
import type { Deployment } from "../contracts/Deployment.ts"
import { call, type Transaction } from "../node/Transaction.ts"
import { type Prices, toRaw } from "./Price.ts"

const mintAbi = parseAbi(["function mint(address to, uint256 value)"])

/** The initial balance of a trader contract in each token, in USD. */
const shareUsd = 400e6

/** The owner's transactions that give a contract an initial balance of each token. */
export const fundTrader = (deployment: Deployment, trader: Address, prices: Prices): ReadonlyArray<Transaction> => {
  const {
    cast: { owner: from },
    tokens: { WETH, ...others }
  } = deployment
  const share = toRaw(WETH, prices, shareUsd)
  return [
    ...Record.values(others).map((token): Transaction =>
      call(from, token.address, 100_000, { abi: mintAbi, args: [trader, toRaw(token, prices, shareUsd)] })
    ),
    { ...call(from, WETH.address, 100_000, { abi: wrappedEtherAbi }), value: share },
    call(from, WETH.address, 100_000, { abi: tokenAbi, functionName: "transfer", args: [trader, share] })
  ]
}
