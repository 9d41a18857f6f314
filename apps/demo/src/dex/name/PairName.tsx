import type { Pool } from "@chaintape/core"
import { FeeTier } from "./FeeTier.tsx"
import { Token } from "./Token.tsx"

/** Both tokens of a pool, and its fee. */
export const PairName = ({ pool }: { readonly pool: Pool }) => (
  <>
    <Token token={pool.token0} /> <Token token={pool.token1} /> <FeeTier pool={pool} />
  </>
)
