/**
 * The chain of a test.
 *
 * @since 0.1.0
 */
import { BlockNotFound } from "@chaintape/core"
import { asOfBlock, type Script } from "@chaintape/core/testing"
import * as Effect from "effect/Effect"

/**
 * The block of a reply, if the test defines the head.
 *
 * @since 0.1.0
 * @category metadata
 */
export const asOf = (
  head: number | undefined,
  { block, blockchain }: { readonly blockchain: string; readonly block?: number | undefined }
): Effect.Effect<Script.ResponseMetadata, BlockNotFound> => {
  if (head === undefined) return Effect.succeed({})
  if (block === undefined || block <= head) return Effect.succeed({ asOf: asOfBlock(block ?? head) })
  const detail = `"${blockchain}" has no block ${block} yet: its head is ${head}.`
  return Effect.fail(new BlockNotFound({ blockchain, block: String(block), head: String(head), detail }))
}
