import { parseAbi } from "viem/utils"

export const deployerAbi = parseAbi(["constructor(address creation)"])

export const pancakeFactoryAbi = parseAbi([
  "constructor(address poolDeployer)",
  "function createPool(address tokenA, address tokenB, uint24 fee) returns (address)"
])

export const pancakePoolAbi = parseAbi([
  "function initialize(uint160 sqrtPriceX96)",
  "function increaseObservationCardinalityNext(uint16 observationCardinalityNext)",
  "function setFeeProtocol(uint32 feeProtocol0, uint32 feeProtocol1)",
  "function collectProtocol(address recipient, uint128 amount0Requested, uint128 amount1Requested)"
])

export const traderAbi = parseAbi([
  "function mint(address pool, int24 lower, int24 upper, uint128 amount)",
  "function burn(address pool, int24 lower, int24 upper, uint128 percent)",
  "function collect(address pool, int24 lower, int24 upper)",
  "function swap(address pool, bool zeroForOne, int256 amount, uint160 limit)",
  "function flash(address pool, uint256 amount0, uint256 amount1)"
])
