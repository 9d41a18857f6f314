import { type Answer, TokenAddress } from "@chaintape/core"
import * as BlocksOperations from "@chaintape/core/operations/blocks"
import * as DexOperations from "@chaintape/core/operations/dex"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { groupDigits } from "../../format/Count.ts"
import { Card } from "../../parts/Card.tsx"
import { Loaded, Problem } from "../../parts/Loaded.tsx"
import { Time } from "../../parts/time/Time.tsx"
import type { TransactionPart } from "../../route/Route.ts"
import { blockHref, dexHref, transactionHref } from "../../route/Route.ts"
import { toShownRequest, useShowRequests } from "../../service/ShownRequests.ts"
import { usePolling } from "../../service/usePolling.ts"
import { EventTable } from "../events/EventTable.tsx"
import { toTokenEventClaim } from "../events/TokenEvent.ts"
import { AsOfBadge } from "../moment/AsOfBadge.tsx"
import { CopyLink } from "../moment/CopyLink.tsx"
import type { Deployment, Moment } from "../moment/Deployment.ts"
import { toName } from "../moment/Deployment.ts"
import type { TransactionEvents, TransactionQuery } from "./readTransaction.ts"
import { readTransaction, toBlocksRequest, toTradesRequest } from "./readTransaction.ts"

interface TransactionOf {
  readonly deployment: Deployment
  /** Undefined for the newest one. */
  readonly block: number | undefined
}

const decodeTokenPair = Schema.decodeUnknownOption(Schema.Tuple([TokenAddress, TokenAddress]))

const Content = ({
  answer: {
    value: { blocks, events }
  },
  moment,
  wanted
}: {
  readonly answer: Answer<TransactionEvents>
  readonly moment: Moment
  readonly wanted: TransactionQuery
}) => {
  const [first] = events
  if (first === undefined)
    return <p className="quiet">No event of this transaction is known: a reorg may have removed it.</p>
  const [token] = wanted.tokens
  const { blockchain } = moment.deployment
  return (
    <>
      <dl className="names">
        <dt>Hash</dt>
        <dd>
          <code>{wanted.hash}</code>
        </dd>
        <dt>{blocks.length < 2 ? "Block" : "One of the blocks of this second"}</dt>
        <dd data-blocks>
          {blocks.length === 0
            ? "not known"
            : blocks.map(({ number }, index) => (
                <span key={number} className="num">
                  {index === 0 ? "" : ", "}
                  <a href={blockHref(blockchain, number)}>{groupDigits(number)}</a>
                </span>
              ))}
        </dd>
        <dt>Time</dt>
        <dd>
          <Time millis={wanted.time} withDate />
        </dd>
        <dt>Sent by</dt>
        <dd>
          <code>{first.origin}</code>
        </dd>
      </dl>
      <EventTable
        events={events}
        moment={moment}
        toClaim={(event) =>
          toTokenEventClaim(
            moment,
            [event.pool.token0.id, event.pool.token1.id].includes(token) ? token : wanted.tokens[1],
            event
          )
        }
      />
    </>
  )
}

const TransactionAt = ({ block, deployment, wanted }: TransactionOf & { readonly wanted: TransactionQuery }) => {
  const moment: Moment = { deployment, block, version: "" }
  const name = toName(deployment)
  const live = usePolling(
    `transaction ${name} ${JSON.stringify(wanted)} ${block}`,
    readTransaction(moment, wanted),
    undefined
  )
  useShowRequests([
    ...wanted.tokens.map((token) => toShownRequest(DexOperations.tokenTrades, toTradesRequest(moment, wanted, token))),
    toShownRequest(BlocksOperations.blocks, toBlocksRequest(moment, wanted))
  ])
  const { hash, time, tokens } = wanted
  return (
    <Card
      title="Transaction"
      aside={
        <>
          <CopyLink
            answer={live.value}
            toHref={(as) => transactionHref(name, { hash, time: time / 1000, tokens }, as)}
          />
          <AsOfBadge answer={live.value} />
        </>
      }
    >
      <Loaded live={live} waiting="The events of the transaction are being read.">
        {(answer) => <Content answer={answer} moment={moment} wanted={wanted} />}
      </Loaded>
      <p className="quiet note">
        No operation reads a transaction by its hash. These are its events in the pools of {deployment.exchange} that
        hold one of the two tokens of the event from which the link leads here.
      </p>
    </Card>
  )
}

/** The events of a transaction, and its block. */
export const TransactionPage = ({
  block,
  deployment,
  transaction: { hash, time, tokens }
}: TransactionOf & { readonly transaction: TransactionPart }) => {
  const addresses = decodeTokenPair(tokens)
  return (
    <div className="stack">
      <h1 className="hidden">Transaction {hash}</h1>
      <p>
        <a href={dexHref(toName(deployment), undefined, block)}>All pools</a>
      </p>
      {time === undefined || Option.isNone(addresses) ? (
        <Problem>The link is cut off: it must have the time of the transaction and two tokens.</Problem>
      ) : (
        <TransactionAt
          deployment={deployment}
          block={block}
          wanted={{ hash, time: time * 1000, tokens: addresses.value }}
        />
      )}
    </div>
  )
}
