import type { Address, Hex } from "viem"
import { encodeDeployData } from "viem/utils"
import type { AlgebraBytecode, Bytecode } from "../contracts/Bytecode.ts"
import type { AlgebraDeployment, Deployment, DevnetPool } from "../contracts/Deployment.ts"
import { toFirstMints } from "../market/PoolActions.ts"
import { fairSqrtPrice, type Prices } from "../market/Price.ts"
import { fundTrader } from "../market/TraderFunds.ts"
import { call, type Transaction } from "../node/Transaction.ts"
import {
  algebraFactoryAbi,
  algebraPoolAbi,
  algebraTraderAbi,
  deployerAbi,
  firstDeployerAbi,
  firstFactoryAbi,
  firstGovernAbi,
  integralDeployerAbi,
  integralFactoryAbi,
  integralGovernAbi,
  pluginAbi,
  vaultAbi,
  vaultFactoryAbi
} from "./AlgebraAbi.ts"

/** keccak-256 of "CUSTOM_POOL_DEPLOYER". */
const customPoolDeployer = "0xc9cf812513d9983585eb40fcfe6fd49fbb6a45815663ec33b30a6c6c7de3683b"

/** The community's part of the fees in new pools, in thousandths. */
const communityFee = 150

/** Before swaps, before changes of positions, and with fees of its own. */
const pluginFlags = 133

/** In the order on which `getAlgebraDeployment` relies. */
const contracts = (
  from: Address,
  { deployer, factory, integral, release, vault }: AlgebraDeployment,
  bytecode: AlgebraBytecode,
  own: Bytecode["own"]
): ReadonlyArray<Transaction> => {
  const create = (data: Hex, gas: number): Transaction => ({ from, data, gas })
  const deployFactory =
    release === "1.0"
      ? encodeDeployData({ abi: firstFactoryAbi, bytecode: bytecode.factory, args: [deployer, vault] })
      : encodeDeployData({ abi: algebraFactoryAbi, bytecode: bytecode.factory, args: [deployer] })
  const deployPool =
    integral === undefined
      ? encodeDeployData({ abi: deployerAbi, bytecode: bytecode.deployer, args: [factory, vault] })
      : encodeDeployData({ abi: integralDeployerAbi, bytecode: bytecode.deployer, args: [factory] })
  const trader = encodeDeployData({
    abi: algebraTraderAbi,
    bytecode: own.AlgebraTrader,
    args: [integral !== undefined]
  })
  return [
    create(deployFactory, 7e6),
    create(release === "1.0" ? bytecode.deployer : deployPool, 7e6),
    create(trader, 2e6),
    ...(integral === undefined || bytecode.vault === undefined || bytecode.vaultFactory === undefined
      ? []
      : [
          create(encodeDeployData({ abi: vaultAbi, bytecode: bytecode.vault, args: [factory, from] }), 3e6),
          create(encodeDeployData({ abi: vaultFactoryAbi, bytecode: bytecode.vaultFactory, args: [vault] }), 1e6),
          create(own.AlgebraPlugin, 2e6)
        ])
  ]
}

/** The factory's settings, and the pools. */
const createPools = (
  from: Address,
  { deployer, factory, integral, pools, release }: AlgebraDeployment
): ReadonlyArray<Transaction> => {
  const tokens = ({ token0, token1 }: DevnetPool) => [token0.address, token1.address] as const
  if (integral === undefined) {
    const abi = algebraFactoryAbi
    return [
      release === "1.0"
        ? call(from, deployer, 100_000, { abi: firstDeployerAbi, args: [factory] })
        : call(from, factory, 100_000, { abi, functionName: "setDefaultCommunityFee", args: [communityFee] }),
      ...pools.map((pool) => call(from, factory, 8e6, { abi, functionName: "createPool", args: tokens(pool) }))
    ]
  }
  const abi = integralFactoryAbi
  const { customPool, plugin, vaultFactory } = integral
  return [
    call(from, factory, 100_000, { abi, functionName: "setVaultFactory", args: [vaultFactory] }),
    call(from, factory, 100_000, { abi, functionName: "setDefaultCommunityFee", args: [communityFee] }),
    call(from, factory, 200_000, { abi, functionName: "grantRole", args: [customPoolDeployer, plugin] }),
    ...pools
      .filter(({ address }) => address !== customPool.address)
      .map((pool) => call(from, factory, 8e6, { abi, functionName: "createPool", args: [...tokens(pool), "0x"] })),
    call(from, plugin, 8e6, { abi: pluginAbi, args: [factory, ...tokens(customPool)] })
  ]
}

/** The price of a pool, and its first liquidity. */
const open = (
  from: Address,
  { trader }: AlgebraDeployment,
  pool: DevnetPool,
  prices: Prices
): ReadonlyArray<Transaction> => [
  call(from, pool.address, 400_000, { abi: algebraPoolAbi, args: [fairSqrtPrice(pool, prices)] }),
  ...toFirstMints(pool, prices).map((args) =>
    call(from, trader, 900_000, { abi: algebraTraderAbi, functionName: "mint", args })
  )
]

/**
 * The settings of pools. Two of Integral have the plugin: the custom one by its deployer, and another one by the owner.
 * Those of 1.0 pay nothing to the community by default.
 */
const settle = (from: Address, { integral, pools, release }: AlgebraDeployment): ReadonlyArray<Transaction> => {
  if (release === "1.0") {
    const fees = { abi: firstGovernAbi, args: [communityFee, communityFee + 50] } as const
    return pools.map(({ address }) => call(from, address, 200_000, fees))
  }
  if (integral === undefined) return []
  const { customPool, plugin } = integral
  const flags = { abi: integralGovernAbi, functionName: "setPluginConfig", args: [pluginFlags] } as const
  return [
    call(from, pools[0].address, 200_000, { abi: integralGovernAbi, functionName: "setPlugin", args: [plugin] }),
    call(from, pools[0].address, 200_000, flags),
    call(from, customPool.address, 200_000, flags)
  ]
}

/** The owner's transactions that bring Algebra to the devnet: the contracts, the funds and the pools. */
export const algebraSetup = (
  deployment: Deployment,
  algebra: AlgebraDeployment,
  bytecode: AlgebraBytecode,
  own: Bytecode["own"],
  prices: Prices
): ReadonlyArray<Transaction> => {
  const from = deployment.cast.owner
  return [
    ...contracts(from, algebra, bytecode, own),
    ...fundTrader(deployment, algebra.trader, prices),
    ...createPools(from, algebra),
    ...algebra.pools.flatMap((pool) => open(from, algebra, pool, prices)),
    ...settle(from, algebra)
  ]
}
