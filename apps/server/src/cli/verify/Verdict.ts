import { unprovableCause } from "../../dex/index/run/UnprovableBlock.ts"
import { formatCount } from "../../internal/groupDigits.ts"
import type { ComparedState } from "./Comparison.ts"
import type { VerificationProgress } from "./Evidence.ts"
import type { Deployment } from "./ServiceReads.ts"

export interface Verdict {
  /** "unproven": nothing differs, and some blocks cannot be proven in a known encoding. */
  readonly state: "verified" | "different" | "unproven"
  readonly sentence: string
}

export interface Compared {
  /** The first difference in words. */
  readonly difference: string | undefined
  readonly state: Pick<ComparedState, "pools" | "tokens">
  readonly trades: number
}

/** What a verification compared. */
export interface VerifiedIndex {
  readonly deployment: Deployment
  /** One pool instead of the whole deployment. */
  readonly pool: string | undefined
  readonly url: URL
}

/** The blocks from `first` on that were read, and the block as of which was compared. */
interface VerifiedBlocks {
  readonly first: number
  readonly last: number
  readonly reached: VerificationProgress
}

const toVerifierText = (block: number): string =>
  `the header or the receipts of block ${block} do not match their hashes in a known encoding. ` +
  `${unprovableCause}: repeat with a node of another operator.`

export const toVerdict = (
  { deployment, pool, url }: VerifiedIndex,
  { first, last, reached }: VerifiedBlocks,
  { difference, state, trades }: Compared
): Verdict => {
  const what = `${pool === undefined ? "" : `pool ${pool} of `}${deployment.exchange} on ${deployment.blockchain}`
  if (difference !== undefined) return { state: "different", sentence: `Different: ${what}, ${difference}.` }
  const blocks = reached.number - first + 1
  const rows =
    pool === undefined ? `${formatCount(state.tokens, "token")}, ${formatCount(state.pools.length, "pool")}, ` : ""
  const evidence =
    `${what} as of block ${last}: ${rows}${formatCount(trades, "trade")} at ${url.origin} follow from ${formatCount(blocks, "block")}, ` +
    `${formatCount(reached.receipts, "receipt")}, ${formatCount(reached.logs, "log")}; last header ${reached.hash} of block ${reached.number}.`
  return reached.unproven === null
    ? { state: "verified", sentence: `Verified: ${evidence}` }
    : {
        state: "unproven",
        sentence: `Nothing differs, and not everything is proven: ${toVerifierText(reached.unproven)} ${evidence}`
      }
}
