// The newest swap of a Uniswap V3 pool, straight from a node.
import { createPublicClient, http, parseAbiItem } from "viem"

const client = createPublicClient({ transport: http("http://127.0.0.1:8545") })
const block = await client.getBlockNumber()
const logs = await client.getLogs({
  address: "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640",
  event: parseAbiItem(
    "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)"
  ),
  fromBlock: block - 100n
})
console.log(logs.at(-1)?.args)
