import type { Address, Hex } from "viem"
import { encodeDeployData, encodeFunctionData } from "viem/utils"
import type { AlgebraBytecode, Bytecode } from "../contracts/Bytecode.ts"
import type { AlgebraDeployment, Deployment, DevnetPool } from "../contracts/Deployment.ts"
import { fairSqrtPrice, fairTick, type Prices, toBound, toLiquidity } from "../market/Price.ts"
import { fundTrader } from "../market/TraderFunds.ts"
import type { Transaction } from "../node/Transaction.ts"
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

type Call = (to: Address, data: Hex, gas: number) => Transaction

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
  call: Call,
  { deployer, factory, integral, pools, release }: AlgebraDeployment
): ReadonlyArray<Transaction> => {
  const tokens = ({ token0, token1 }: DevnetPool) => [token0.address, token1.address] as const
  if (integral === undefined) {
    const abi = algebraFactoryAbi
    return [
      release === "1.0"
        ? call(deployer, encodeFunctionData({ abi: firstDeployerAbi, args: [factory] }), 100_000)
        : call(
            factory,
            encodeFunctionData({ abi, functionName: "setDefaultCommunityFee", args: [communityFee] }),
            100_000
          ),
      ...pools.map((pool) =>
        call(factory, encodeFunctionData({ abi, functionName: "createPool", args: tokens(pool) }), 8e6)
      )
    ]
  }
  const abi = integralFactoryAbi
  const { customPool, plugin, vaultFactory } = integral
  const ofFactory = (data: Hex, gas: number) => call(factory, data, gas)
  return [
    ofFactory(encodeFunctionData({ abi, functionName: "setVaultFactory", args: [vaultFactory] }), 100_000),
    ofFactory(encodeFunctionData({ abi, functionName: "setDefaultCommunityFee", args: [communityFee] }), 100_000),
    ofFactory(encodeFunctionData({ abi, functionName: "grantRole", args: [customPoolDeployer, plugin] }), 200_000),
    ...pools
      .filter(({ address }) => address !== customPool.address)
      .map((pool) =>
        ofFactory(encodeFunctionData({ abi, functionName: "createPool", args: [...tokens(pool), "0x"] }), 8e6)
      ),
    call(plugin, encodeFunctionData({ abi: pluginAbi, args: [factory, ...tokens(customPool)] }), 8e6)
  ]
}

/** The price of a pool, and liquidity in three ranges, as in the pools of Uniswap. */
const open = (
  call: Call,
  { trader }: AlgebraDeployment,
  pool: DevnetPool,
  prices: Prices
): ReadonlyArray<Transaction> => {
  const tick = fairTick(pool, prices)
  const ranges = [
    { width: 2e6, part: 0.3 },
    { width: 6000, part: 0.4 },
    { width: 1800, part: 0.3 }
  ]
  const price = fairSqrtPrice(pool, prices)
  return [
    call(pool.address, encodeFunctionData({ abi: algebraPoolAbi, args: [price] }), 400_000),
    ...ranges.map(({ part, width }) =>
      call(
        trader,
        encodeFunctionData({
          abi: algebraTraderAbi,
          functionName: "mint",
          args: [
            pool.address,
            toBound(pool, tick - width),
            toBound(pool, tick + width),
            toLiquidity(pool, prices, pool.usd * part, width)
          ]
        }),
        900_000
      )
    )
  ]
}

/**
 * The settings of pools. Two of Integral have the plugin: the custom one by its deployer, and another one by the owner.
 * Those of 1.0 pay nothing to the community by default.
 */
const settle = (call: Call, { integral, pools, release }: AlgebraDeployment): ReadonlyArray<Transaction> => {
  if (release === "1.0") {
    const data = encodeFunctionData({ abi: firstGovernAbi, args: [communityFee, communityFee + 50] })
    return pools.map(({ address }) => call(address, data, 200_000))
  }
  if (integral === undefined) return []
  const { customPool, plugin } = integral
  const ofPool = (pool: DevnetPool, data: Hex) => call(pool.address, data, 200_000)
  const flags = encodeFunctionData({ abi: integralGovernAbi, functionName: "setPluginConfig", args: [pluginFlags] })
  const plugged = encodeFunctionData({ abi: integralGovernAbi, functionName: "setPlugin", args: [plugin] })
  return [ofPool(pools[0], plugged), ofPool(pools[0], flags), ofPool(customPool, flags)]
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
  const call: Call = (to, data, gas) => ({ from, to, data, gas })
  return [
    ...contracts(from, algebra, bytecode, own),
    ...fundTrader(deployment, algebra.trader, prices),
    ...createPools(call, algebra),
    ...algebra.pools.flatMap((pool) => open(call, algebra, pool, prices)),
    ...settle(call, algebra)
  ]
}
