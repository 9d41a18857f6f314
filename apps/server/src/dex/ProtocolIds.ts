import { Record } from "effect"

/** The official names of the protocols that an index can read, by their ids in the configuration. */
export const protocolNames = {
  "uniswap-v3": "Uniswap V3",
  "pancakeswap-v3": "PancakeSwap V3",
  "uniswap-v2": "Uniswap V2",
  "algebra-1": "Algebra 1.0",
  "algebra-2": "Algebra 2.0",
  "algebra-integral": "Algebra Integral"
} as const

export type ProtocolId = keyof typeof protocolNames

export const protocolIds = Record.keys(protocolNames)

/** Whether all pools of the protocol have the same fee, which a fork may set otherwise. */
export const hasOneFee = (protocol: ProtocolId): boolean => protocol === "uniswap-v2"

/** The protocol of a deployment that names none. */
export const defaultProtocol: ProtocolId = "uniswap-v3"
