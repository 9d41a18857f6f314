import { defaultProtocol } from "../../ProtocolIds.ts"
import type { ProtocolId } from "../../ProtocolIds.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import { algebra1 } from "./Algebra1.ts"
import { algebra2 } from "./Algebra2.ts"
import { algebraIntegral } from "./AlgebraIntegral.ts"
import { pancakeSwapV3 } from "./PancakeSwapV3.ts"
import type { Protocol } from "./Protocol.ts"
import { uniswapV2 } from "./UniswapV2.ts"
import { uniswapV3 } from "./UniswapV3.ts"

/** The adapter of each protocol. */
export const protocols: Readonly<Record<ProtocolId, Protocol>> = {
  "uniswap-v3": uniswapV3,
  "pancakeswap-v3": pancakeSwapV3,
  "uniswap-v2": uniswapV2,
  "algebra-1": algebra1,
  "algebra-2": algebra2,
  "algebra-integral": algebraIntegral
}

export const toProtocolId = ({ protocol = defaultProtocol }: Pick<IndexConfig, "protocol">): ProtocolId => protocol
