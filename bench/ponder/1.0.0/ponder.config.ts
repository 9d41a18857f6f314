import { createConfig, factory } from "ponder"
import { getAbiItem, http } from "viem"
import { factoryAbi, poolAbi } from "./abis"

const { BENCH_CHAIN_ID, BENCH_DATA_DIR, BENCH_FACTORY, BENCH_RPC, BENCH_START_BLOCK } = process.env
const address = BENCH_FACTORY as `0x${string}`
const startBlock = Number(BENCH_START_BLOCK)

export default createConfig({
  database: { kind: "pglite", directory: BENCH_DATA_DIR },
  networks: {
    devnet: { chainId: Number(BENCH_CHAIN_ID), transport: http(BENCH_RPC), maxRequestsPerSecond: 10_000 }
  },
  contracts: {
    Factory: { abi: factoryAbi, network: "devnet", address, startBlock },
    Pool: {
      abi: poolAbi,
      network: "devnet",
      address: factory({ address, event: getAbiItem({ abi: factoryAbi, name: "PoolCreated" }), parameter: "pool" }),
      startBlock
    }
  }
})
