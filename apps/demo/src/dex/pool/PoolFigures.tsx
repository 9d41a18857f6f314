import { Decimal, type Pool } from "@chaintape/core"
import type { ReactNode } from "react"
import { Figure } from "../../parts/Figure.tsx"
import { Proven } from "../../proof/Proven.tsx"
import type { ResponseAt } from "../claims/DexClaims.ts"
import { toPoolClaim } from "../claims/DexClaims.ts"
import type { Moment } from "../moment/Deployment.ts"
import { TokenLink } from "../name/TokenLink.tsx"
import { toSymbol } from "../name/TokenName.tsx"
import { isPair } from "./request/isPair.ts"

const figures = [
  ["token0Price", "price"],
  ["token1Price", "price"],
  ["totalValueLockedUSD", "dollars"],
  ["totalValueLockedToken0", "short"],
  ["totalValueLockedToken1", "short"],
  ["liquidity", "short"],
  ["volumeUSD", "dollars"],
  ["feesUSD", "dollars"],
  ["txCount", "grouped"]
] as const satisfies ReadonlyArray<readonly [keyof Pool, string]>

type Field = (typeof figures)[number][0]

const toTitles = (moment: Moment, pool: Pool): Record<Field, readonly [title: ReactNode, name: string]> => {
  const { token0, token1 } = pool
  const liquidity = isPair(pool) ? "Supply of LP tokens" : "Liquidity in range"
  const [name0, name1] = [<TokenLink token={token0} moment={moment} />, <TokenLink token={token1} moment={moment} />]
  const [symbol0, symbol1] = [toSymbol(token0), toSymbol(token1)]
  return {
    token0Price: [
      <>
        {name0} for one {name1}
      </>,
      `Price, ${symbol0} for one ${symbol1}`
    ],
    token1Price: [
      <>
        {name1} for one {name0}
      </>,
      `Price, ${symbol1} for one ${symbol0}`
    ],
    totalValueLockedUSD: ["TVL", "TVL, USD"],
    totalValueLockedToken0: [<>TVL in {name0}</>, `TVL, ${symbol0}`],
    totalValueLockedToken1: [<>TVL in {name1}</>, `TVL, ${symbol1}`],
    liquidity: [liquidity, liquidity],
    volumeUSD: ["Volume, all time", "Volume, USD"],
    feesUSD: ["Fees, all time", "Fees, USD"],
    txCount: ["Events, all time", "Events"]
  }
}

/** Why a figure is 0 that is known to be something else: the contract and the index state no value yet. */
const toAbsence = (pool: Pool, field: Field): string | undefined => {
  if (!Decimal.isZero(pool[field])) return undefined
  if (field === "token0Price" || field === "token1Price") return pool.tick === "" ? "no price yet" : "no swap yet"
  const isLocked = !Decimal.isZero(pool.totalValueLockedToken0) || !Decimal.isZero(pool.totalValueLockedToken1)
  if (field === "totalValueLockedUSD") return isLocked ? "no USD price yet" : undefined
  const isTraded = !Decimal.isZero(pool.volumeToken0) || !Decimal.isZero(pool.volumeToken1)
  return (field === "volumeUSD" || field === "feesUSD") && isTraded ? "no USD price yet" : undefined
}

/** The figures of a pool as of a block. */
export const PoolFigures = ({ answer, pool }: { readonly answer: ResponseAt; readonly pool: Pool }) => {
  const titles = toTitles(answer.moment, pool)
  return (
    <dl className="figures">
      {figures.map(([field, shape]) => {
        const [title, name] = titles[field]
        const absence = toAbsence(pool, field)
        return (
          <div key={field}>
            <dt>{title}</dt>
            <dd data-figure={field}>
              <Proven of={name} claim={() => toPoolClaim(answer, pool, name, (one) => one[field])}>
                {absence === undefined ? <Figure value={pool[field]} as={shape} /> : <small>{absence}</small>}
              </Proven>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
