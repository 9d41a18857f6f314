import { Option, Predicate, Schema } from "effect"
import { Small } from "./RpcBlock.ts"
import type { NodeMemory, RpcCall } from "./RpcCall.ts"

/** The newest block that the consensus of the chain has finalized. Not every node knows one. */
const finalizedCall: RpcCall = { method: "eth_getBlockByNumber", params: ["finalized", false], mayFail: true }

const decodeNumber = Schema.decodeUnknownOption(Small)

/**
 * Remembers the finalized block that a node states with its head. A node that states an earlier one than before is behind,
 * and one that states a block above its head is wrong: neither changes what is known.
 */
const rememberFinalized = (node: NodeMemory, reply: unknown, head: number): void => {
  if (!Predicate.isObject(reply)) return
  const stated = Option.getOrUndefined(decodeNumber(reply["number"]))
  if (stated !== undefined && stated <= head) node.finalized = Math.max(node.finalized ?? 0, stated)
}

/** The finalized block, read with other calls so that both are of one view of the chain. */
export const finalizedBlock = {
  /** The calls, and the one for the finalized block after them: the replies to the others keep their places. */
  addCall: (calls: ReadonlyArray<RpcCall>): ReadonlyArray<RpcCall> => [...calls, finalizedCall],
  /** Takes the replies to the calls of `addCall`. */
  remember: (node: NodeMemory, replies: ReadonlyArray<unknown>, head: number): void =>
    rememberFinalized(node, replies.at(-1), head)
}

/**
 * The newest final block: `depth` below the head, and not above the block that the nodes call finalized. A reorg of a
 * final block stops an index, so that both must hold.
 */
export const toFinal = (head: number, depth: number, finalized: number | undefined): number =>
  Math.min(head - depth, finalized ?? head)
