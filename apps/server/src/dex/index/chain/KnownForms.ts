import { Effect } from "effect"
import { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { Nodes } from "../../../blocks/rpc/Nodes.ts"
import type { NodeMemory, Send } from "../../../blocks/rpc/RpcCall.ts"

/** Says that a block has a form that cannot be proven. `what` completes a sentence that begins with the node's name. */
export type ClaimForm = (what: string) => Effect.Effect<void, BlockSourceError>

/**
 * Reads that prefer what can be proven: a node that claims a form that is not known is asked after all others, and is
 * accepted if none of them returns a known form.
 */
export const makeFormReads = (nodes: Nodes, bad: (what: string) => BlockSourceError, count: number) => {
  const claimants = new Set<NodeMemory>()
  return <A, E = never>(
    read: (send: Send, claim: ClaimForm, node: NodeMemory) => Effect.Effect<A, E | BlockSourceError>
  ): Effect.Effect<A, E | BlockSourceError> =>
    Effect.suspend(() => {
      let isClaimed = false
      const ask = (isBelieved: boolean) =>
        nodes.ask<A, E>((send, node) => {
          const claim: ClaimForm = (what) =>
            Effect.suspend(() => {
              claimants.add(node)
              isClaimed = true
              return isBelieved ? Effect.void : Effect.fail(bad(what))
            })
          return read(send, claim, node)
        })
      if (claimants.size === count) return ask(true)
      return Effect.catch(ask(false), (error) =>
        isClaimed && error instanceof BlockSourceError ? ask(true) : Effect.fail(error)
      )
    })
}
