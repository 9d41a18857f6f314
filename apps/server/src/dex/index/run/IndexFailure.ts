import { Data } from "effect"
import type { Effect } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import type { EntityStore } from "../store/EntityStore.ts"

/** A reorg replaced blocks that were considered final: only a new index, or a larger `finality`, helps. */
export class ReorgTooDeep extends Data.TaggedError("ReorgTooDeep")<{ readonly message: string }> {}

/** The factory belongs to another protocol: only another configuration helps. */
export class OtherProtocol extends Data.TaggedError("OtherProtocol")<{ readonly message: string }> {}

export type StoreFailure = Effect.Error<ReturnType<EntityStore["Service"]["append"]>>

export type IndexFailure = BlockSourceError | ReorgTooDeep | OtherProtocol | StoreFailure

export const toTooDeep = ({ blockchain, key }: IndexConfig, position: number, floor: number) =>
  new ReorgTooDeep({
    message:
      `The chain "${blockchain}" has neither block ${position} as it is indexed nor one of the ${position - floor} ` +
      `blocks before it: a reorg went deeper than the finality. Rebuild the index of "${key}".`
  })

export const toOtherProtocol = ({ blockchain, factory, key }: IndexConfig, protocol: string) =>
  new OtherProtocol({
    message:
      `The factory ${factory} on "${blockchain}" is one of ${protocol}, whose events have another shape than those of ` +
      `Uniswap V3: "${key}" cannot be indexed. Give the factory of a Uniswap V3 deployment, or remove the entry.`
  })
