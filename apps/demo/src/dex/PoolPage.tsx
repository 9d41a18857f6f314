import { PoolAddress } from "@chaintape/core"
import type { Pool } from "@chaintape/core"
import * as Operations from "@chaintape/core/api/DexOperations"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Card } from "../parts/Card.tsx"
import { Figure } from "../parts/Figure.tsx"
import { Loaded, Problem } from "../parts/Loaded.tsx"
import { toShownRequest, useShow } from "../service/Shown.ts"
import { AsOfBadge } from "./AsOfBadge.tsx"
import type { Moment } from "./Deployment.ts"
import { at } from "./Deployment.ts"
import { PairName } from "./PairName.tsx"
import { PoolEvents } from "./PoolEvents.tsx"
import { useAt } from "./useAt.ts"

const isAddress = Schema.decodeUnknownOption(PoolAddress)

const figures = (pool: Pool) =>
  [
    [`${pool.token0.symbol} for one ${pool.token1.symbol}`, pool.token0Price, "price"],
    [`${pool.token1.symbol} for one ${pool.token0.symbol}`, pool.token1Price, "price"],
    ["Locked", pool.totalValueLockedUSD, "dollars"],
    [`Locked ${pool.token0.symbol}`, pool.totalValueLockedToken0, "short"],
    [`Locked ${pool.token1.symbol}`, pool.totalValueLockedToken1, "short"],
    ["Liquidity in range", pool.liquidity, "short"],
    ["Volume", pool.volumeUSD, "dollars"],
    ["Fees", pool.feesUSD, "dollars"],
    ["Events", pool.txCount, "grouped"]
  ] as const

const PoolAt = ({ moment, pool }: { readonly moment: Moment; readonly pool: PoolAddress }) => {
  const request = { ...at(moment), pool }
  const live = useAt(moment, `pool ${pool}`, (dex) => dex.withResponse.pool(request))
  useShow([toShownRequest(Operations.pool, request), toShownRequest(Operations.poolTrades, { ...request, limit: 10 })])
  return (
    <>
      <Card title="Pool" aside={<AsOfBadge answer={live.value} />}>
        <Loaded live={live} waiting="The pool is being read.">
          {({ value }) => (
            <>
              <p className="pair">
                <PairName pool={value} /> <code className="quiet">{value.id}</code>
              </p>
              <dl className="figures">
                {figures(value).map(([title, figure, shape]) => (
                  <div key={title}>
                    <dt>{title}</dt>
                    <dd>
                      <Figure value={figure} as={shape} />
                    </dd>
                  </div>
                ))}
              </dl>
            </>
          )}
        </Loaded>
      </Card>
      {live.problem === undefined ? <PoolEvents moment={moment} pool={pool} /> : null}
    </>
  )
}

export const PoolPage = ({ moment, pool }: { readonly moment: Moment; readonly pool: string }) => {
  const address = isAddress(pool.toLowerCase())
  return Option.isNone(address) ? (
    <Problem>{`“${pool}” is no address of a pool: it must be 0x and 40 hexadecimal digits.`}</Problem>
  ) : (
    <PoolAt moment={moment} pool={address.value} />
  )
}
