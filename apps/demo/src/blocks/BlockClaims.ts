import { Blocks } from "@chaintape/blocks"
import type { Block } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/blocks"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { groupDigits } from "../format/Count.ts"
import type { Claim, Values } from "../proof/Claim.ts"
import { toClaim } from "../proof/Claim.ts"
import { toShownRequest } from "../service/ShownRequests.ts"

const toValues = ({ author, gasLimit, gasUsed, number, size, timestamp }: Block): Values => [
  ["Number", String(number)],
  ["Time", DateTime.formatIso(timestamp)],
  ["Gas used", String(gasUsed)],
  ["Gas limit", String(gasLimit)],
  ["Size, bytes", String(size)],
  ["Author", author]
]

/** A block. */
export const toBlockClaim = (blockchain: string, shown: Block): Claim => {
  const request = { blockchain, block: shown.number, limit: 1 }
  return toClaim({
    title: `block ${groupDigits(shown.number)}`,
    subject: `A block of ${blockchain}`,
    values: toValues(shown),
    request: toShownRequest(Operations.blocks, request),
    read: Effect.flatMap(Blocks, (blocks) => blocks.withResponse.blocks(request)),
    find: ([block]: ReadonlyArray<Block>) => (block === undefined ? undefined : toValues(block)),
    blockchain
  })
}
