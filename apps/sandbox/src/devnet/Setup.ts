import { Record } from "effect"
import type { Address, Hex } from "viem"
import { encodeDeployData } from "viem/utils"
import { factoryAbi, poolAbi, positionsAbi, routerAbi, tokenAbi, wrappedEtherAbi } from "./contracts/Abi.ts"
import type { Bytecode } from "./contracts/Bytecode.ts"
import { type Deployment, type DevnetPool, everyone } from "./contracts/Deployment.ts"
import { tickSpacings } from "./contracts/Tokens.ts"
import { toFirstRanges } from "./market/PoolActions.ts"
import { fairSqrtPrice, type Prices, toRaw } from "./market/Price.ts"
import { call, type Transaction } from "./node/Transaction.ts"
import { mintPosition } from "./trading/Positions.ts"

/** Each actor's initial balance of each token, in USD. */
const shareUsd = 400e6

const unlimited = 2n ** 256n - 1n

/** The owner's first transactions, in the order that `Deployment` relies on. */
const contracts = (deployment: Deployment, bytecode: Bytecode): ReadonlyArray<Transaction> => {
  const from = deployment.cast.owner
  const create = (data: Hex, gas: number): Transaction => ({ from, data, gas })
  const peripheral = [deployment.factory, deployment.tokens.WETH.address] as const
  return [
    create(bytecode.factory, 6e6),
    create(bytecode.own.WrappedEther, 1.5e6),
    create(encodeDeployData({ abi: routerAbi, bytecode: bytecode.router, args: peripheral }), 4e6),
    create(
      // The descriptor only draws pictures of positions; any address will do.
      encodeDeployData({ abi: positionsAbi, bytecode: bytecode.positions, args: [...peripheral, from] }),
      7e6
    ),
    create(bytecode.own.FlashBorrower, 1e6)
  ]
}

const funds = (deployment: Deployment, bytecode: Bytecode, prices: Prices): ReadonlyArray<Transaction> => {
  const { WETH, ...others } = deployment.tokens
  const holders = [...everyone(deployment.cast), deployment.borrower]
  const share = toRaw(WETH, prices, shareUsd)
  const created = Record.values(others).map((token): Transaction => ({
    from: deployment.cast.owner,
    data: encodeDeployData({
      abi: tokenAbi,
      bytecode: bytecode.own.Token,
      args: [token.name, token.symbol, token.decimals, holders, toRaw(token, prices, shareUsd)]
    }),
    gas: 2e6
  }))
  const wrapped = everyone(deployment.cast).map((from): Transaction => ({
    ...call(from, WETH.address, 100_000, { abi: wrappedEtherAbi }),
    value: from === deployment.cast.owner ? 2n * share : share
  }))
  const lent: Transaction = call(deployment.cast.owner, WETH.address, 100_000, {
    abi: tokenAbi,
    functionName: "transfer",
    args: [deployment.borrower, share]
  })
  return [...created, ...wrapped, lent]
}

const approvals = (deployment: Deployment): ReadonlyArray<Transaction> => {
  const approve = (from: Address, spender: Address) =>
    Record.values(deployment.tokens).map((token): Transaction =>
      call(from, token.address, 100_000, { abi: tokenAbi, functionName: "approve", args: [spender, unlimited] })
    )
  const { owner, providers, traders } = deployment.cast
  return [
    ...[owner, ...providers].flatMap((from) => approve(from, deployment.positions)),
    ...traders.flatMap((from) => approve(from, deployment.router))
  ]
}

const createPool = (deployment: Deployment, pool: DevnetPool, prices: Prices): ReadonlyArray<Transaction> => {
  const {
    factory,
    cast: { owner: from }
  } = deployment
  const args = [pool.token0.address, pool.token1.address, pool.fee] as const
  return [
    call(from, factory, 5.5e6, { abi: factoryAbi, functionName: "createPool", args }),
    call(from, pool.address, 200_000, {
      abi: poolAbi,
      functionName: "initialize",
      args: [fairSqrtPrice(pool, prices)]
    }),
    call(from, pool.address, 700_000, { abi: poolAbi, functionName: "increaseObservationCardinalityNext", args: [20] })
  ]
}

const provide = (deployment: Deployment, pool: DevnetPool, prices: Prices): ReadonlyArray<Transaction> =>
  toFirstRanges(pool, prices).map(({ lower, upper, usd }) =>
    mintPosition(deployment, prices, { pool, owner: deployment.cast.owner, lower, upper, usd })
  )

/** A block's gas limit is 30 million; the gas limits of its transactions must fit, not the gas that they use. */
export const pack = (transactions: ReadonlyArray<Transaction>): ReadonlyArray<ReadonlyArray<Transaction>> => {
  const blocks: Array<Array<Transaction>> = []
  let left = 0
  for (const transaction of transactions) {
    if (transaction.gas > left) {
      blocks.push([])
      left = 29e6
    }
    blocks.at(-1)?.push(transaction)
    left -= transaction.gas
  }
  return blocks
}

/** The transactions that make the market: the contracts, the funds, the pools and their first liquidity. */
export const setupTransactions = (
  deployment: Deployment,
  bytecode: Bytecode,
  prices: Prices
): ReadonlyArray<Transaction> => {
  const {
    factory,
    cast: { owner: from },
    pools,
    stablePool
  } = deployment
  return [
    ...contracts(deployment, bytecode),
    ...funds(deployment, bytecode, prices),
    ...approvals(deployment),
    call(from, factory, 100_000, { abi: factoryAbi, functionName: "enableFeeAmount", args: [100, tickSpacings[100]] }),
    ...pools.flatMap((pool) => createPool(deployment, pool, prices)),
    ...pools.flatMap((pool) => provide(deployment, pool, prices)),
    call(from, stablePool.address, 100_000, { abi: poolAbi, functionName: "setFeeProtocol", args: [10, 10] })
  ]
}
