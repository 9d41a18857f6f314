import { Data } from "effect"
import type { Effect } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { EntityStore } from "../store/EntityStore.ts"

/** A reorg replaced blocks that were considered final: only a new index, or a larger `finality`, helps. */
export class ReorgTooDeep extends Data.TaggedError("ReorgTooDeep")<{ readonly message: string }> {}

/** The factory belongs to another protocol: only another configuration helps. */
export class OtherProtocol extends Data.TaggedError("OtherProtocol")<{ readonly message: string }> {}

export type StoreFailure = Effect.Error<ReturnType<EntityStore["Service"]["append"]>>

export type IndexFailure = BlockSourceError | ReorgTooDeep | OtherProtocol | StoreFailure
