import { parseAbi } from "viem/utils"

export const tokenAbi = parseAbi([
  "constructor(string name, string symbol, uint8 decimals, address[] holders, uint256 share)",
  "function approve(address spender, uint256 value) returns (bool)",
  "function transfer(address to, uint256 value) returns (bool)"
])

export const wrappedEtherAbi = parseAbi(["function deposit() payable"])

export const factoryAbi = parseAbi([
  "function enableFeeAmount(uint24 fee, int24 tickSpacing)",
  "function createPool(address tokenA, address tokenB, uint24 fee) returns (address)"
])

export const poolAbi = parseAbi([
  "function initialize(uint160 sqrtPriceX96)",
  "function increaseObservationCardinalityNext(uint16 observationCardinalityNext)",
  "function setFeeProtocol(uint8 feeProtocol0, uint8 feeProtocol1)",
  "function collectProtocol(address recipient, uint128 amount0Requested, uint128 amount1Requested)"
])

export const borrowerAbi = parseAbi(["function borrow(address pool, uint256 amount0, uint256 amount1)"])

export const routerAbi = parseAbi([
  "constructor(address factory, address weth)",
  "struct InputSingle { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }",
  "struct OutputSingle { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountOut; uint256 amountInMaximum; uint160 sqrtPriceLimitX96; }",
  "struct Input { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }",
  "struct Output { bytes path; address recipient; uint256 deadline; uint256 amountOut; uint256 amountInMaximum; }",
  "function exactInputSingle(InputSingle params) payable returns (uint256 amountOut)",
  "function exactOutputSingle(OutputSingle params) payable returns (uint256 amountIn)",
  "function exactInput(Input params) payable returns (uint256 amountOut)",
  "function exactOutput(Output params) payable returns (uint256 amountIn)"
])

export const positionsAbi = parseAbi([
  "constructor(address factory, address weth, address tokenDescriptor)",
  "struct Mint { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "struct Increase { uint256 tokenId; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "struct Decrease { uint256 tokenId; uint128 liquidity; uint256 amount0Min; uint256 amount1Min; uint256 deadline; }",
  "struct Collect { uint256 tokenId; address recipient; uint128 amount0Max; uint128 amount1Max; }",
  "function mint(Mint params) payable returns (uint256 tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "function increaseLiquidity(Increase params) payable returns (uint128 liquidity, uint256 amount0, uint256 amount1)",
  "function decreaseLiquidity(Decrease params) payable returns (uint256 amount0, uint256 amount1)",
  "function collect(Collect params) payable returns (uint256 amount0, uint256 amount1)",
  "function burn(uint256 tokenId) payable",
  "function multicall(bytes[] data) payable returns (bytes[] results)"
])

/** The events whose logs the bots read, by name. */
export const eventAbi = parseAbi([
  "event Initialize(uint160 sqrtPriceX96, int24 tick)",
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)",
  "event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)",
  "event IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)",
  "event DecreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)"
])
