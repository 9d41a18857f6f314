import * as Operations from "@chaintape/core/operations/blocks"
import * as DateTime from "effect/DateTime"
import { Card } from "../parts/Card.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { Age } from "../parts/time/Age.tsx"
import { Time } from "../parts/time/Time.tsx"
import { toShownRequest, useShowRequests } from "../service/ShownRequests.ts"
import { useStream } from "../service/useStream.ts"
import { BlockList } from "./BlockList.tsx"
import type { Chain } from "./Chain.ts"
import { blocksShown, getAveragePause } from "./Chain.ts"
import { followChain } from "./ChainFeed.ts"
import { useChainFeeds } from "./ChainFeeds.tsx"
import { GasPlot } from "./GasPlot.tsx"
import { Reorgs } from "./Reorgs.tsx"
import "./chain-page.css"

const seconds = new Intl.NumberFormat("en", { maximumFractionDigits: 1 })

const Head = ({ blocks }: Chain) => {
  const [newest] = blocks
  const pause = getAveragePause(blocks)
  return newest === undefined ? (
    <p className="quiet">The chain has no block yet.</p>
  ) : (
    <>
      <p className="head" data-head={String(newest.number)}>
        <span className="num">{newest.number.toLocaleString("en")}</span>
      </p>
      <p className="quiet">
        of <Time millis={DateTime.toEpochMillis(newest.timestamp)} withDate />,{" "}
        <span className="num" data-age>
          <Age millis={DateTime.toEpochMillis(newest.timestamp)} />
        </span>
      </p>
      {pause === undefined ? null : (
        <p className="quiet">
          <span className="num" data-pause>
            {seconds.format(pause / 1000)} s
          </span>{" "}
          between two blocks, on average of the last {blocks.length}
        </p>
      )}
    </>
  )
}

/** A chain as it grows. */
export const ChainPage = ({ blockchain }: { readonly blockchain: string }) => {
  const live = useStream(`chain ${blockchain}`, followChain(useChainFeeds(), blockchain))
  useShowRequests([
    toShownRequest(Operations.blocks, { blockchain, limit: blocksShown }),
    toShownRequest(Operations.blockchains, {})
  ])
  return (
    <Loaded live={live} waiting="The blocks are being read.">
      {(chain) => (
        <div className="stack">
          <h1 className="hidden">Blocks of {blockchain}</h1>
          <div className="chain-top">
            <Card title={`Head of ${blockchain}`}>
              <Head {...chain} />
            </Card>
            <Card title="Gas used per block">
              <GasPlot chain={chain} />
            </Card>
          </div>
          <Reorgs reorgs={chain.reorgs} />
          <Card title="Blocks">
            <BlockList blockchain={blockchain} chain={chain} />
          </Card>
        </div>
      )}
    </Loaded>
  )
}
