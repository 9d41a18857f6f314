import { useMemo, useState } from "react"
import { dexHref } from "../Route.ts"
import { BlockSlider } from "./BlockSlider.tsx"
import type { Deployment } from "./Deployment.ts"
import { PoolPage } from "./pool/PoolPage.tsx"
import { Pools } from "./Pools.tsx"
import { Tokens } from "./Tokens.tsx"
import { Totals } from "./Totals.tsx"

/** A decentralized exchange as of one block. */
export const DexPage = ({
  head,
  deployment,
  pool
}: {
  readonly deployment: Deployment
  readonly pool: string | undefined
  readonly head: number | undefined
}) => {
  const [block, setBlock] = useState<number>()
  const moment = useMemo(() => ({ deployment, block }), [deployment.exchange, deployment.blockchain, block])
  const name = `${deployment.exchange}/${deployment.blockchain}`
  return (
    <div className="stack">
      <h1 className="hidden">
        {deployment.exchange} on {deployment.blockchain}
      </h1>
      <BlockSlider head={head} block={block} onMove={setBlock} />
      {pool === undefined ? (
        <>
          <Totals moment={moment} head={head} />
          <div className="two">
            <Pools moment={moment} name={name} />
            <Tokens moment={moment} />
          </div>
        </>
      ) : (
        <>
          <p>
            <a href={dexHref(name)}>All pools</a>
          </p>
          <PoolPage key={pool} moment={moment} pool={pool} />
        </>
      )}
    </div>
  )
}
