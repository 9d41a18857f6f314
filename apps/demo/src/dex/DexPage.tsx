import { Outdated } from "../parts/Loaded.tsx"
import { dexHref, tokenHref } from "../Route.ts"
import type { Status } from "../service/Status.ts"
import { BlockSlider } from "./BlockSlider.tsx"
import type { Deployment } from "./Deployment.ts"
import { PoolPage } from "./pool/PoolPage.tsx"
import { Pools } from "./Pools.tsx"
import { Tokens } from "./Tokens.tsx"
import { Totals } from "./Totals.tsx"
import { useBlock } from "./useBlock.ts"
import { useHead } from "./useHead.ts"

/** A decentralized exchange as of one block. */
export const DexPage = ({
  block: ofAddress,
  deployment,
  pool,
  status,
  token
}: {
  readonly block: number | undefined
  readonly deployment: Deployment
  readonly pool: string | undefined
  readonly token: string | undefined
  readonly status: Status
}) => {
  const name = `${deployment.exchange}/${deployment.blockchain}`
  const [block, setBlock] = useBlock(ofAddress, (as) =>
    token === undefined ? dexHref(name, pool, as) : tokenHref(name, token, as)
  )
  const { head, problem, readAt } = useHead(name, deployment.blockchain, status)
  const moment = { deployment, block, version: block === undefined ? String(head) : "" }
  return (
    <div className="stack">
      <h1 className="hidden">
        {deployment.exchange} on {deployment.blockchain}
      </h1>
      <BlockSlider head={head} block={block} onMove={setBlock} />
      {pool === undefined && token === undefined ? (
        <>
          {problem === undefined ? null : <Outdated problem={problem} readAt={readAt} />}
          <Totals moment={moment} head={head} />
          <div className="two">
            <Pools moment={moment} name={name} />
            <Tokens moment={moment} />
          </div>
        </>
      ) : (
        <>
          <p>
            <a href={dexHref(name, undefined, block)}>All pools</a>
          </p>
          {pool === undefined ? (
            <Tokens key={token} moment={moment} initial={token} />
          ) : (
            <PoolPage key={pool} name={name} deployment={deployment} block={block} pool={pool} />
          )}
        </>
      )}
    </div>
  )
}
