import { useState } from "react"
import { Outdated } from "../parts/Loaded.tsx"
import { dexHref, tokenHref } from "../route/Route.ts"
import type { Status } from "../service/Status.ts"
import { BlockSlider } from "./moment/BlockSlider.tsx"
import type { Deployment } from "./moment/Deployment.ts"
import { toName } from "./moment/Deployment.ts"
import { useBlock } from "./moment/useBlock.ts"
import { useHead } from "./moment/useHead.ts"
import { Pools } from "./overview/Pools.tsx"
import { Tokens } from "./overview/Tokens.tsx"
import { Totals } from "./overview/Totals.tsx"
import { PoolPage } from "./pool/PoolPage.tsx"
import { TokenPage } from "./token/TokenPage.tsx"
import "./dex-page.css"

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
  const name = toName(deployment)
  const [block, setBlock] = useBlock(ofAddress, (as) =>
    token === undefined ? dexHref(name, pool, as) : tokenHref(name, token, as)
  )
  const { head, problem, readAt } = useHead(name, deployment.blockchain, status)
  // The index may be behind its chain: the figures of a live page are as of the block of their response.
  const [newestBlock, setNewestBlock] = useState<number>()
  const moment = { deployment, block, version: block === undefined ? String(head) : "" }
  return (
    <div className="stack">
      <h1 className="hidden">
        {deployment.exchange} on {deployment.blockchain}
      </h1>
      <BlockSlider head={block === undefined ? (newestBlock ?? head) : head} block={block} onMove={setBlock} />
      {pool === undefined && token === undefined ? (
        <>
          {problem === undefined ? null : <Outdated problem={problem} readAt={readAt} />}
          <Totals moment={moment} head={head} onBlock={setNewestBlock} />
          <div className="two overview">
            <Pools moment={moment} />
            <Tokens moment={moment} />
          </div>
        </>
      ) : (
        <>
          <p>
            <a href={dexHref(name, undefined, block)}>All pools</a>
          </p>
          {pool !== undefined ? (
            <PoolPage
              key={pool}
              deployment={deployment}
              block={block}
              head={head}
              pool={pool}
              onBlock={setNewestBlock}
            />
          ) : token === undefined ? null : (
            <TokenPage
              key={token}
              deployment={deployment}
              block={block}
              head={head}
              token={token}
              onBlock={setNewestBlock}
            />
          )}
        </>
      )}
    </div>
  )
}
