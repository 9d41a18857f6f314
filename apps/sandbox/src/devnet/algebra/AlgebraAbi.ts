import { parseAbi } from "viem/utils"

/** Of Algebra 1.0. */
export const firstFactoryAbi = parseAbi(["constructor(address poolDeployer, address vault)"])

/** Of Algebra 1.0. */
export const firstDeployerAbi = parseAbi(["function setFactory(address factory)"])

/** Of Algebra 2.0; `createPool` of 1.0 too. */
export const algebraFactoryAbi = parseAbi([
  "constructor(address poolDeployer)",
  "function createPool(address tokenA, address tokenB) returns (address)",
  "function setDefaultCommunityFee(uint8 newDefaultCommunityFee)"
])

export const integralFactoryAbi = parseAbi([
  "constructor(address poolDeployer)",
  "function createPool(address tokenA, address tokenB, bytes data) returns (address)",
  "function grantRole(bytes32 role, address account)",
  "function setDefaultCommunityFee(uint16 newDefaultCommunityFee)",
  "function setVaultFactory(address newVaultFactory)"
])

/** Of Algebra 2.0. */
export const deployerAbi = parseAbi(["constructor(address factory, address communityVault)"])

export const integralDeployerAbi = parseAbi(["constructor(address factory)"])
export const vaultAbi = parseAbi(["constructor(address factory, address manager)"])
export const vaultFactoryAbi = parseAbi(["constructor(address vault)"])

export const algebraPoolAbi = parseAbi(["function initialize(uint160 initialPrice)"])

/** Of the owner, on pools of Algebra 1.0. */
export const firstGovernAbi = parseAbi(["function setCommunityFee(uint8 communityFee0, uint8 communityFee1)"])

/** Of the owner, on pools of Algebra 2.0. */
export const governAbi = parseAbi([
  "function setCommunityFee(uint8 newCommunityFee)",
  "function setTickSpacing(int24 newTickSpacing, int24 newTickspacingLimitOrders)"
])

/** Of the owner, on pools of Algebra Integral. */
export const integralGovernAbi = parseAbi([
  "function setCommunityFee(uint16 newCommunityFee)",
  "function setFee(uint16 newFee)",
  "function setPlugin(address newPluginAddress)",
  "function setPluginConfig(uint8 newConfig)"
])

export const algebraTraderAbi = parseAbi([
  "constructor(bool isIntegral)",
  "function mint(address pool, int24 lower, int24 upper, uint128 amount)",
  "function order(address pool, int24 tick, uint128 amount)",
  "function burn(address pool, int24 lower, int24 upper, uint128 percent)",
  "function cancel(address pool, int24 tick, uint128 percent)",
  "function collect(address pool, int24 lower, int24 upper)",
  "function swap(address pool, bool zeroToOne, int256 amount, uint160 limit)",
  "function swapPaid(address pool, bool zeroToOne, int256 amount, uint160 limit)",
  "function flash(address pool, uint256 amount0, uint256 amount1)",
  "function donate(address pool, uint256 amount0, uint256 amount1)"
])

export const pluginAbi = parseAbi(["function createPool(address factory, address tokenA, address tokenB)"])
