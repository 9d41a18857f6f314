import { parseAbi } from "viem/utils"

export const pairFactoryAbi = parseAbi([
  "constructor(address feeToSetter)",
  "function createPair(address tokenA, address tokenB) returns (address)",
  "function setFeeTo(address feeTo)"
])

export const pairTraderAbi = parseAbi([
  "function mint(address pair, uint256 amount0, uint256 amount1)",
  "function burn(address pair, uint256 part)",
  "function swap(address pair, bool zeroForOne, uint256 amount)",
  "function borrow(address pair, uint256 amount0, uint256 amount1)",
  "function donate(address pair, uint256 amount0, uint256 amount1)",
  "function skim(address pair)",
  "function sync(address pair)",
  "function give(address pair, address to, uint256 part)"
])
