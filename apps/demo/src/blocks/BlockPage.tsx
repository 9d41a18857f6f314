import { Blocks } from "@chaintape/blocks"
import type { Answer, Block } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/blocks"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { groupDigits } from "../format/Count.ts"
import { Card } from "../parts/Card.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { NoBlock } from "../parts/NoBlock.tsx"
import { Age } from "../parts/time/Age.tsx"
import { Time } from "../parts/time/Time.tsx"
import { Proven } from "../proof/Proven.tsx"
import { blockHref, chainHref } from "../route/Route.ts"
import { countRequests } from "../service/Budget.ts"
import { toShownRequest, useShowRequests } from "../service/ShownRequests.ts"
import { usePolling } from "../service/usePolling.ts"
import { toBlockClaim } from "./BlockClaims.ts"
import { gasShare } from "./GasShare.ts"

const toFigures = (block: Block) =>
  [
    ["Gas used", groupDigits(block.gasUsed)],
    ["Gas limit", groupDigits(block.gasLimit)],
    ["% of gas limit", gasShare(block)],
    ["Size, bytes", groupDigits(block.size)],
    [
      "Total difficulty",
      Option.match(block.totalDifficulty, { onNone: () => "not known", onSome: (total) => groupDigits(total) })
    ]
  ] as const

const Content = ({
  answer: { asOf, value },
  blockchain
}: {
  readonly answer: Answer<ReadonlyArray<Block>>
  readonly blockchain: string
}) => {
  const [block] = value
  if (block === undefined) return <p className="quiet">The chain does not have this block.</p>
  return (
    <>
      <dl className="figures">
        {toFigures(block).map(([title, figure]) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd className="num">
              <Proven of={`${title} of this block`} claim={() => toBlockClaim(blockchain, block)}>
                {figure}
              </Proven>
            </dd>
          </div>
        ))}
      </dl>
      <dl className="names">
        <dt>Time</dt>
        <dd>
          <Time millis={DateTime.toEpochMillis(block.timestamp)} withDate />,{" "}
          <Age millis={DateTime.toEpochMillis(block.timestamp)} />
        </dd>
        <dt>Author</dt>
        <dd>
          <code>{block.author}</code>
        </dd>
        {Option.match(asOf, {
          onNone: () => null,
          onSome: ({ finalized, hash }) => (
            <>
              <dt>Hash</dt>
              <dd>
                <code data-hash={hash}>{hash}</code>
              </dd>
              <dt>State</dt>
              <dd>{finalized ? "Final" : "A reorg can still replace it"}</dd>
            </>
          )
        })}
      </dl>
    </>
  )
}

const BlockAt = ({ block, blockchain }: { readonly blockchain: string; readonly block: bigint }) => {
  const request = { blockchain, block, limit: 1 }
  const live = usePolling(
    `block ${blockchain} ${block}`,
    Effect.flatMap(Blocks, (blocks) => countRequests(blocks.withResponse.blocks(request))),
    undefined
  )
  useShowRequests([toShownRequest(Operations.blocks, request)])
  return (
    <Card
      title={`Block ${groupDigits(block)} of ${blockchain}`}
      aside={
        <nav className="pages" aria-label="Blocks">
          {block === 0n ? null : (
            <a href={blockHref(blockchain, block - 1n)} rel="prev">
              Previous
            </a>
          )}
          <a href={blockHref(blockchain, block + 1n)} rel="next">
            Next
          </a>
        </nav>
      }
    >
      <Loaded live={live} waiting="The block is being read.">
        {(answer) => <Content answer={answer} blockchain={blockchain} />}
      </Loaded>
    </Card>
  )
}

/** A block with everything that the interface returns of it. */
export const BlockPage = ({ block, blockchain }: { readonly blockchain: string; readonly block: string }) => (
  <>
    <h1 className="hidden">
      Block {block} of {blockchain}
    </h1>
    <p>
      <a href={chainHref(blockchain)}>All blocks</a>
    </p>
    {/^\d{1,15}$/.test(block) ? (
      <BlockAt key={`${blockchain} ${block}`} blockchain={blockchain} block={BigInt(block)} />
    ) : (
      <NoBlock name={block} />
    )}
  </>
)
