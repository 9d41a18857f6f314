import { Decimal, type Token } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/dex"
import { toShownRequest } from "../../service/ShownRequests.ts"
import { readDex, toSubject } from "../claims/DexClaims.ts"
import type { Moment } from "../moment/Deployment.ts"
import { at } from "../moment/Deployment.ts"
import { toSymbol } from "../name/TokenName.tsx"
import type { Totals } from "../span/Change.ts"
import { SpanCard } from "../span/SpanCard.tsx"
import type { SpanFigure } from "../span/SpanClaims.ts"

const figures: ReadonlyArray<SpanFigure> = [
  { title: "Volume", field: "volume", of: "volumeUSD", shape: "dollars" },
  { title: "Fees", field: "fees", of: "feesUSD", shape: "dollars" },
  { title: "TVL change", field: "locked", of: "totalValueLockedUSD", shape: "change" },
  { title: "TVL change, %", field: "lockedShare", of: "totalValueLockedUSD", shape: "shareChange" }
]

/** A total of 0 USD beside tokens that are not 0 states that there is no price. */
const toTokenTotals = ({ feesUSD, totalValueLocked, totalValueLockedUSD, volume, volumeUSD }: Token): Totals => {
  const priced = (usd: Decimal.Decimal, tokens: Decimal.Decimal) =>
    Decimal.isZero(usd) && !Decimal.isZero(tokens) ? undefined : usd
  return {
    volumeUSD: priced(volumeUSD, volume),
    feesUSD: priced(feesUSD, volume),
    totalValueLockedUSD: priced(totalValueLockedUSD, totalValueLocked)
  }
}

/** Volume, fees and change of the TVL of a token, over the last day and week. */
export const TokenSpans = ({ moment, token }: { readonly moment: Moment; readonly token: Token }) => {
  const toRequest = (block: number | undefined) => ({ ...at({ ...moment, block }), tokenId: token.id })
  return (
    <SpanCard
      name={`token ${token.id}`}
      moment={moment}
      figures={figures}
      source={{
        subject: toSubject({ moment }, `Token ${toSymbol(token)}`),
        toRequest: (block) => toShownRequest(Operations.tokens, toRequest(block)),
        read: (block) => readDex((dex) => dex.withResponse.tokens(toRequest(block))),
        toTotals: toTokenTotals
      }}
    >
      Of all pools that hold it. The fees are earned by both tokens of a pool: no APR of one token follows from them.
    </SpanCard>
  )
}
