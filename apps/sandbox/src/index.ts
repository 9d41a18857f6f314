export { Devnet, devnetConfig, DevnetError } from "./devnet/Devnet.ts"
export type {
  ActivityCount,
  BlockHead,
  DevnetConfig,
  DevnetOptions,
  DevnetPool,
  DevnetToken,
  Transaction
} from "./devnet/Devnet.ts"
export { defaultProducts, Fault, FaultSet, SandboxExchange } from "./exchange/SandboxExchange.ts"
export type { JournalTrade, SandboxExchangeOptions } from "./exchange/SandboxExchange.ts"
