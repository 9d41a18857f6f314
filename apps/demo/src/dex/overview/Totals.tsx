import type { Deployment } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/dex"
import { Card } from "../../parts/Card.tsx"
import { Figure } from "../../parts/Figure.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Proven } from "../../proof/Proven.tsx"
import { toShownRequest, useShowRequests } from "../../service/ShownRequests.ts"
import { toTotalClaim } from "../claims/DexClaims.ts"
import { AsOfBadge } from "../moment/AsOfBadge.tsx"
import type { Moment } from "../moment/Deployment.ts"
import { at } from "../moment/Deployment.ts"
import { useAt } from "../moment/useAt.ts"
import { useReportBlock } from "../moment/useReportBlock.ts"
import { TotalsPlot } from "./TotalsPlot.tsx"
import "./totals.css"

const figures = [
  ["TVL", "totalValueLockedUSD", "dollars"],
  ["Volume, all time", "totalVolumeUSD", "dollars"],
  ["Fees, all time", "totalFeesUSD", "dollars"],
  ["Events", "txCount", "grouped"],
  ["Pools", "poolCount", "grouped"]
] as const satisfies ReadonlyArray<readonly [string, keyof Deployment, "dollars" | "grouped"]>

/** The totals of each factory, and their history. */
export const Totals = ({
  head,
  moment,
  onBlock
}: {
  readonly moment: Moment
  readonly head: number | undefined
  readonly onBlock: (block: number) => void
}) => {
  const live = useAt(moment, "totals", (dex) => dex.withResponse.deployments(at(moment)))
  useReportBlock(live.value, onBlock)
  useShowRequests([
    toShownRequest(Operations.deployments, at(moment)),
    toShownRequest(Operations.pools, { ...at(moment), limit: 10 }),
    toShownRequest(Operations.tokens, { ...at(moment), limit: 10, logo: true })
  ])
  return (
    <Card className="totals" title="Totals" aside={<AsOfBadge answer={live.value} />}>
      <Loaded live={live} waiting="The totals are being read.">
        {(answer) =>
          answer.value.length === 0 ? (
            <p className="quiet">At this block the exchange did not exist yet.</p>
          ) : (
            answer.value.map((deployment) => (
              <dl key={deployment.id} className="figures">
                {figures.map(([title, field, shape]) => (
                  <div key={field}>
                    <dt>{title}</dt>
                    <dd data-total={field}>
                      <Proven of={title} claim={() => toTotalClaim(answer, deployment, title, (one) => one[field])}>
                        <Figure value={deployment[field]} as={shape} />
                      </Proven>
                    </dd>
                  </div>
                ))}
              </dl>
            ))
          )
        }
      </Loaded>
      <TotalsPlot deployment={moment.deployment} head={head} block={moment.block} />
    </Card>
  )
}
