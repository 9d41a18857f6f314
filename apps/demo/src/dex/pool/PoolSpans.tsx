import { Decimal, type Pool } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/dex"
import { toShownRequest } from "../../service/ShownRequests.ts"
import { readDex, toPair, toSubject } from "../claims/DexClaims.ts"
import type { Moment } from "../moment/Deployment.ts"
import { at } from "../moment/Deployment.ts"
import type { Totals } from "../span/Change.ts"
import { SpanCard } from "../span/SpanCard.tsx"
import type { SpanFigure } from "../span/SpanClaims.ts"

const figures: ReadonlyArray<SpanFigure> = [
  { title: "Volume", field: "volume", of: "volumeUSD", shape: "dollars" },
  { title: "Fees", field: "fees", of: "feesUSD", shape: "dollars" },
  { title: "TVL change", field: "locked", of: "totalValueLockedUSD", shape: "change" },
  { title: "TVL change, %", field: "lockedShare", of: "totalValueLockedUSD", shape: "shareChange" },
  { title: "APR of fees", field: "apr", of: "feesUSD", shape: "share" }
]

/** A total of 0 USD beside tokens that are not 0 states that there is no price. */
const toPoolTotals = (pool: Pool): Totals => {
  const isTraded = !Decimal.isZero(pool.volumeToken0) || !Decimal.isZero(pool.volumeToken1)
  const isLocked = !Decimal.isZero(pool.totalValueLockedToken0) || !Decimal.isZero(pool.totalValueLockedToken1)
  const priced = (usd: Decimal.Decimal, isAny: boolean) => (isAny && Decimal.isZero(usd) ? undefined : usd)
  return {
    volumeUSD: priced(pool.volumeUSD, isTraded),
    feesUSD: priced(pool.feesUSD, isTraded),
    totalValueLockedUSD: priced(pool.totalValueLockedUSD, isLocked)
  }
}

/** Volume, fees, change of the TVL and fees a year of a pool, over the last day and week. */
export const PoolSpans = ({ moment, pool }: { readonly moment: Moment; readonly pool: Pool }) => {
  const toRequest = (block: number | undefined) => ({ ...at({ ...moment, block }), pool: pool.id })
  return (
    <SpanCard
      name={`pool ${pool.id}`}
      moment={moment}
      figures={figures}
      source={{
        subject: toSubject({ moment }, toPair(pool)),
        toRequest: (block) => toShownRequest(Operations.pools, toRequest(block)),
        read: (block) => readDex((dex) => dex.withResponse.pools(toRequest(block))),
        toTotals: toPoolTotals
      }}
    >
      APR of fees: fees of the span × 365 / its days / TVL at its end.
    </SpanCard>
  )
}
