import { Effect, Option } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { finalizedBlock, toFinal } from "../../../blocks/rpc/Finality.ts"
import type { Nodes } from "../../../blocks/rpc/Nodes.ts"
import { isAbsent } from "../../../blocks/rpc/RpcBlock.ts"
import { blockCall, chainIdCall } from "../../../blocks/rpc/RpcCall.ts"
import type { NodeMemory } from "../../../blocks/rpc/RpcCall.ts"
import type { BlockIdentity } from "../decode/ChainFacts.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import type { Checkpoint } from "../store/EntityStore.ts"
import type { HeaderReads } from "./HeaderReads.ts"
import type { ReadParts } from "./ProvableReads.ts"

/** The chain as a node sees it at this moment. */
export interface HeadReading {
  readonly head: BlockIdentity
  /** The requested block; absent if the chain is shorter. */
  readonly known: Option.Option<BlockIdentity>
  /** The newest final block. */
  readonly final: number
}

interface HeadReadsOptions extends ReadParts, Pick<HeaderReads, "existing" | "header"> {
  readonly nodes: Nodes
  readonly checkChain: (reply: unknown) => Effect.Effect<void, BlockSourceError>
}

export const makeHeadReads = (
  { finality, rpc }: IndexConfig,
  { readProvable, bad, checkChain, existing, header, nodes }: HeadReadsOptions
) => {
  let headNode: NodeMemory | undefined
  return {
    /** Asks the node that stated the head last for a while: its head contradicts other reads. */
    avoidHeadNode: Effect.suspend(() => nodes.avoid(headNode)),
    /** The newest block, and the block with this number as the same node sees it. */
    readHead: (number: number): Effect.Effect<HeadReading, BlockSourceError> =>
      Effect.andThen(
        nodes.compareHeads,
        readProvable(
          Effect.fnUntraced(function* ({ node, report, send }) {
            const replies = yield* send(finalizedBlock.addCall([chainIdCall, blockCall("latest"), blockCall(number)]))
            const [id, latest, known] = replies
            yield* checkChain(id)
            const head = yield* header(latest, report)
            finalizedBlock.remember(node, replies, head.number)
            headNode = node
            return {
              head,
              known: isAbsent(known) ? Option.none() : Option.some(yield* header(known, report, number)),
              final: toFinal(head.number, finality, nodes.finalized())
            }
          })
        )
      ),
    /** Whether every node has another block of this number. Fails if a node does not answer, or lacks the block. */
    isReplaced: ({ hash, number }: Checkpoint): Effect.Effect<boolean, BlockSourceError> =>
      Effect.suspend(() => {
        const others = new Set<NodeMemory>()
        return readProvable(
          Effect.fnUntraced(function* ({ node, report, send }) {
            const [reply] = yield* send([blockCall(number)])
            if ((yield* existing(reply, report, number)).hash === hash) return false
            others.add(node)
            return yield* bad(`has another block ${number} than the index`)
          })
        ).pipe(Effect.catch((error) => (others.size === rpc.length ? Effect.succeed(true) : Effect.fail(error))))
      })
  }
}
