import type { Pool } from "@chaintape/core"

const millionthsOfPercent = 10_000

/** The fee of a pool. */
export const FeeTier = ({ pool: { feeTier } }: { readonly pool: Pool }) => (
  <span className="quiet num" title={`Fee tier ${feeTier}, in millionths of the amount`}>
    {Number(feeTier) / millionthsOfPercent} %
  </span>
)
