import { groupDigits } from "../../../format/Count.ts"
import { Card } from "../../../parts/Card.tsx"
import { Loaded } from "../../../parts/Loaded.tsx"
import { useAt } from "../../moment/useAt.ts"
import type { Drawn } from "../request/Direction.ts"
import { isPair } from "../request/isPair.ts"
import { toPoolRequest } from "../request/Requests.ts"
import { DepthPlot } from "./DepthPlot.tsx"
import { maxTicks, readTicks } from "./Ticks.ts"

const TickDepth = ({ direction, moment, pool }: Drawn) => {
  const request = toPoolRequest(moment, pool.id)
  const live = useAt(moment, `ticks ${pool.id}`, (dex) =>
    readTicks((page) => dex.withResponse.ticks({ ...request, ...page }))
  )
  return (
    <Loaded live={live} waiting="The ticks are being read.">
      {({ value }) =>
        value.length < maxTicks ? (
          <DepthPlot ticks={value} direction={direction} pool={pool} />
        ) : (
          <p className="quiet">
            The liquidity is not drawn: the pool has {groupDigits(maxTicks)} initialized ticks or more.
          </p>
        )
      }
    </Loaded>
  )
}

/** Where the liquidity of a pool is, as of a block. */
export const PoolDepth = (drawn: Drawn) => (
  <Card title="Liquidity by price">
    {isPair(drawn.pool) ? (
      <p className="quiet">The protocol has no ticks: all of the liquidity is in range at every price.</p>
    ) : (
      <TickDepth {...drawn} />
    )}
  </Card>
)
