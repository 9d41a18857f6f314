import { Effect } from "effect"
import { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { Nodes } from "../../../blocks/rpc/Nodes.ts"
import type { NodeMemory, Send } from "../../../blocks/rpc/RpcCall.ts"
import type { Keccak } from "../verify/Keccak.ts"

/** States that a block cannot be proven in a known encoding. `what` completes a sentence that begins with the node's name. */
export type ReportUnprovable = (what: string) => Effect.Effect<void, BlockSourceError>

/** A read on one node. */
export interface NodeRead {
  readonly send: Send
  readonly node: NodeMemory
  readonly report: ReportUnprovable
}

/** How nodes are read, and how their responses are checked. */
export interface ReadParts {
  readonly readProvable: ReturnType<typeof makeProvableReads>
  /** A failure for a response that cannot be used. `what` completes a sentence that begins with the node's name. */
  readonly bad: (what: string) => BlockSourceError
  readonly keccak: Keccak
  /** Whether blocks are proven against their headers. */
  readonly isProven: boolean
}

/**
 * Makes reads that prefer what can be proven: a node whose blocks have an unknown encoding is asked after all others, and
 * is accepted if none of them returns a known one.
 */
export const makeProvableReads = (nodes: Nodes, bad: ReadParts["bad"], count: number) => {
  /** The nodes that returned an unknown encoding. */
  const unprovable = new Set<NodeMemory>()
  return <A, E = never>(
    read: (read: NodeRead) => Effect.Effect<A, E | BlockSourceError>
  ): Effect.Effect<A, E | BlockSourceError> =>
    Effect.suspend(() => {
      let isReported = false
      const readNodes = (acceptsUnprovable: boolean) =>
        nodes.read<A, E>((send, node) => {
          const report: ReportUnprovable = (what) =>
            Effect.suspend(() => {
              unprovable.add(node)
              isReported = true
              return acceptsUnprovable ? Effect.void : Effect.fail(bad(what))
            })
          return read({ send, node, report })
        })
      if (unprovable.size === count) return readNodes(true)
      return Effect.catch(readNodes(false), (error) =>
        isReported && error instanceof BlockSourceError ? readNodes(true) : Effect.fail(error)
      )
    })
}
