import { Effect } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { RpcCall } from "../../../blocks/rpc/RpcCall.ts"
import { callAt, readUint } from "../decode/ContractCall.ts"
import type { ChainReader } from "./ChainReader.ts"

const word = (value: number): string => value.toString(16).padStart(64, "0")

/** `feeAmountTickSpacing(500)`, which every factory of Uniswap V3 has. */
const feeAmountTickSpacing = `0x22afcccb${word(500)}`

/** Functions that only the factories of other protocols have: their events have another shape. */
const others = [
  { protocol: "PancakeSwap V3", data: `0x88e8006d${word(500)}` }, // feeAmountTickSpacingExtraInfo(500)
  { protocol: "Algebra", data: `0xd9a641e1${word(0)}${word(0)}` }, // poolByPair(0, 0)
  { protocol: "Slipstream", data: `0x380dc1c2${word(1)}` }, // tickSpacingToFee(1)
  { protocol: "Uniswap V2", data: "0x574f2ba3" } // allPairsLength()
]

/** The name of the protocol of a factory, if it is known and not Uniswap V3. PancakeSwap V3 has the functions of both. */
export const findOtherProtocol = (
  reader: ChainReader,
  factory: string,
  blockHash: string
): Effect.Effect<string | undefined, BlockSourceError> => {
  const calls = [feeAmountTickSpacing, ...others.map(({ data }) => data)].map((data): RpcCall => ({
    ...callAt(blockHash, factory, data),
    mayFail: true
  }))
  return reader.calls(calls, ([spacing, ...replies]) =>
    Effect.sync(() => {
      const isV3 = readUint(spacing) !== undefined
      const found = others.find(
        ({ protocol }, index) => readUint(replies[index]) !== undefined && (!isV3 || protocol === "PancakeSwap V3")
      )
      return found?.protocol
    })
  )
}
