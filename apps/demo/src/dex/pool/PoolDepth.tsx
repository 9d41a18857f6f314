import { Card } from "../../parts/Card.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { useAt } from "../moment/useAt.ts"
import { DepthPlot } from "./DepthPlot.tsx"
import type { Drawn } from "./Direction.ts"
import { toPoolRequest } from "./Requests.ts"

/** Ticks of one response at most. Liquidity is a sum from the lowest tick on: without the rest it would be wrong. */
const mostTicks = 1000

/** Where the liquidity of a pool is, as of a block. */
export const PoolDepth = ({ direction, moment, pool }: Drawn) => {
  const request = toPoolRequest(moment, pool.id)
  const live = useAt(moment, `ticks ${pool.id}`, (dex) => dex.withResponse.ticks(request))
  return (
    <Card title="Liquidity by price">
      <Loaded live={live} waiting="The ticks are being read.">
        {({ value }) =>
          value.length < mostTicks ? (
            <DepthPlot ticks={value} direction={direction} pool={pool} />
          ) : (
            <p className="quiet">
              The liquidity is not drawn: the pool has more than {mostTicks - 1} initialized ticks.
            </p>
          )
        }
      </Loaded>
    </Card>
  )
}
