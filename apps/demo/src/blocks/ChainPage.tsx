import * as Operations from "@chaintape/core/operations/blocks"
import * as DateTime from "effect/DateTime"
import { Card } from "../parts/Card.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { Time } from "../parts/Time.tsx"
import { toShownRequest, useShow } from "../service/Shown.ts"
import { BlockList } from "./BlockList.tsx"
import type { Branches } from "./Branches.ts"
import { GasPlot } from "./GasPlot.tsx"
import { Reorgs } from "./Reorgs.tsx"
import { blocksShown, useBranches } from "./useBranches.ts"

const Head = ({ blocks, head }: Branches) => {
  const [newest] = blocks
  return newest === undefined ? (
    <p className="quiet">The chain has no block yet.</p>
  ) : (
    <>
      <p className="head" data-head={String(newest.number)}>
        <span className="num">{newest.number.toLocaleString("en")}</span>
      </p>
      <p className="quiet">
        of <Time millis={DateTime.toEpochMillis(newest.timestamp)} withDate />
      </p>
      {head === undefined ? null : (
        <p className="quiet">
          <code title={head.hash}>{`${head.hash.slice(0, 18)}…`}</code>
        </p>
      )}
    </>
  )
}

/** A chain as it grows. */
export const ChainPage = ({ blockchain }: { readonly blockchain: string }) => {
  const live = useBranches(blockchain)
  useShow([
    toShownRequest(Operations.blocks, { blockchain, limit: blocksShown }),
    toShownRequest(Operations.blockchains, {})
  ])
  return (
    <Loaded live={live} waiting="The blocks are being read.">
      {(branches) => (
        <div className="stack">
          <h1 className="hidden">Blocks of {blockchain}</h1>
          <div className="chain-top">
            <Card title={`Head of ${blockchain}`}>
              <Head {...branches} />
            </Card>
            <Card title="Gas used per block">
              <GasPlot branches={branches} />
            </Card>
          </div>
          <Reorgs reorgs={branches.reorgs} />
          <Card title="Blocks">
            <BlockList branches={branches} />
          </Card>
        </div>
      )}
    </Loaded>
  )
}
