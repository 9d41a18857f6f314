/** Values of `@chaintape/blocks` that a user's library exports. */
import { Blocks, blocks, BlocksStream } from "@chaintape/blocks"
import * as Effect from "effect/Effect"

export const layer = Blocks.layerConfig()
export const service = Effect.map(Blocks, (service) => service)
export const methods = Effect.map(Blocks, (service) => ({ ...service, ...service.withResponse }))
export const read = blocks
export const blockPages = BlocksStream.blockPages({ blockchain: "ethereum" })
export const liveBlocks = BlocksStream.liveBlocks({ blockchain: "ethereum" })
export const liveBlockPages = BlocksStream.liveBlockPages({ blockchain: "ethereum" })
