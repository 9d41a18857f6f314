import { toQuantity } from "../../../blocks/rpc/RpcCall.ts"
import type { RpcCall } from "../../../blocks/rpc/RpcCall.ts"

export const chainIdCall: RpcCall = { method: "eth_chainId", params: [] }

/** The block with this number, or with the tag "latest". */
export const blockCall = (block: number | "latest"): RpcCall => ({
  method: "eth_getBlockByNumber",
  params: [block === "latest" ? block : toQuantity(block), false]
})
