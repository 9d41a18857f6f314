import type { Pool } from "@chaintape/core"
import { Token } from "./Token.tsx"

/** Both tokens of a pool, and its fee. */
export const PairName = ({ pool }: { readonly pool: Pool }) => (
  <>
    <Token token={pool.token0} /> <Token token={pool.token1} />{" "}
    <span className="quiet num" title={`${pool.feeTier} millionths`}>
      {Number(pool.feeTier) / 10_000} %
    </span>
  </>
)
