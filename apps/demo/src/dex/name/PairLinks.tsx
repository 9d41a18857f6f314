import type { Pool } from "@chaintape/core"
import { tokenHref } from "../../route/Route.ts"
import type { Moment } from "../moment/Deployment.ts"
import { toName } from "../moment/Deployment.ts"
import { FeeTier } from "./FeeTier.tsx"
import { Token } from "./Token.tsx"

/** Both tokens of a pool, each with a link to its page as of the same block, and its fee. */
export const PairLinks = ({ moment, pool }: { readonly moment: Moment; readonly pool: Pool }) => (
  <>
    {[pool.token0, pool.token1].map((token) => (
      <a key={token.id} href={tokenHref(toName(moment.deployment), token.id, moment.block)}>
        <Token token={token} />
      </a>
    ))}
    <FeeTier pool={pool} />
  </>
)
