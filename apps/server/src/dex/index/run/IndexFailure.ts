import { Data } from "effect"
import type { Effect } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import { protocolNames } from "../../ProtocolIds.ts"
import type { FactoryProtocol } from "../chain/FactoryProbe.ts"
import type { IndexConfig } from "../IndexConfig.ts"
import { toProtocolId } from "../protocol/Protocols.ts"
import type { EntityStore } from "../store/EntityStore.ts"

/** A reorg replaced blocks that were considered final: only a new index, or a larger `finality`, helps. */
export class ReorgTooDeepError extends Data.TaggedError("ReorgTooDeepError")<{ readonly message: string }> {}

/** The factory belongs to another protocol: only another configuration helps. */
export class ProtocolMismatchError extends Data.TaggedError("ProtocolMismatchError")<{ readonly message: string }> {}

export type StoreFailure = Effect.Error<ReturnType<EntityStore["Service"]["append"]>>

export type IndexFailure = BlockSourceError | ReorgTooDeepError | ProtocolMismatchError | StoreFailure

export const toTooDeep = ({ blockchain, key }: IndexConfig, position: number, floor: number) =>
  new ReorgTooDeepError({
    message:
      `The chain "${blockchain}" has neither block ${position} as it is indexed nor one of the ${position - floor} ` +
      `blocks before it: a reorg went deeper than the finality. Rebuild the index of "${key}".`
  })

export const toProtocolMismatch = (config: IndexConfig, { id, name }: FactoryProtocol) => {
  const { blockchain, factory, key } = config
  const configured = protocolNames[toProtocolId(config)]
  const remedy =
    id === undefined
      ? `Give the factory of a ${configured} deployment, or remove the entry.`
      : `Write "protocol": "${id}" in its entry under dexes, or give the factory of a ${configured} deployment.`
  return new ProtocolMismatchError({
    message:
      `The factory ${factory} on "${blockchain}" is one of ${name}, whose events have another shape than those of ` +
      `${configured}: "${key}" cannot be indexed. ${remedy}`
  })
}
