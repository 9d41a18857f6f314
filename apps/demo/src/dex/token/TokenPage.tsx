import { TokenAddress } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/dex"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Card } from "../../parts/Card.tsx"
import { Loaded, Problem } from "../../parts/Loaded.tsx"
import { tokenHref } from "../../route/Route.ts"
import { useSetPageName } from "../../service/PageName.ts"
import { toShownRequest, useShowRequests } from "../../service/ShownRequests.ts"
import { useThrottled } from "../../service/useThrottled.ts"
import { AsOfBadge } from "../moment/AsOfBadge.tsx"
import { CopyLink } from "../moment/CopyLink.tsx"
import type { Deployment } from "../moment/Deployment.ts"
import { toName } from "../moment/Deployment.ts"
import { useAt } from "../moment/useAt.ts"
import { useReportBlock } from "../moment/useReportBlock.ts"
import { Token } from "../name/Token.tsx"
import { toSymbol, toVisible } from "../name/TokenName.tsx"
import { toEventsRequest, toPoolsRequest, toTokenRequest } from "./Requests.ts"
import { TokenEvents } from "./TokenEvents.tsx"
import { TokenFigures } from "./TokenFigures.tsx"
import { TokenPools } from "./TokenPools.tsx"
import { TokenSpans } from "./TokenSpans.tsx"

interface TokenOf {
  readonly deployment: Deployment
  /** Undefined for the newest one. */
  readonly block: number | undefined
  readonly head: number | undefined
  readonly token: string
  readonly onBlock: (block: number) => void
}

const decodeAddress = Schema.decodeUnknownOption(TokenAddress)

/** After new blocks, the token is read again, at most this often (milliseconds). */
const readEvery = 5000

const maxNameLength = 120

const TokenAt = ({
  block,
  deployment,
  head,
  onBlock,
  token
}: Omit<TokenOf, "token"> & { readonly token: TokenAddress }) => {
  const version = useThrottled(String(head), readEvery)
  const moment = { deployment, block, version: block === undefined ? version : "" }
  const request = toTokenRequest(moment, token)
  const live = useAt(moment, `token ${token}`, (dex) => dex.withResponse.tokens(request))
  useReportBlock(live.value, onBlock)
  useShowRequests([
    toShownRequest(Operations.tokens, request),
    toShownRequest(Operations.pools, toPoolsRequest(moment)),
    toShownRequest(Operations.tokenTrades, toEventsRequest(moment, token))
  ])
  const [known] = live.value?.value ?? []
  const found = known === undefined ? undefined : live.value
  useSetPageName(known === undefined ? undefined : `Token ${toSymbol(known)}`)
  return (
    <>
      <Card
        title="Token"
        aside={
          <>
            <CopyLink answer={found} toHref={(as) => tokenHref(toName(deployment), token, as)} />
            <AsOfBadge answer={live.value} />
          </>
        }
      >
        <Loaded live={live} waiting="The token is being read.">
          {(answer) => {
            const [value] = answer.value
            return value === undefined ? (
              <p className="quiet">There was no pool with this token as of this block.</p>
            ) : (
              <>
                <p className="pair" data-token={value.id}>
                  <Token token={value} /> <bdi>{toVisible(value.name, maxNameLength)}</bdi>{" "}
                  <code className="quiet">{value.id}</code>
                </p>
                <TokenFigures answer={answer} token={value} />
              </>
            )
          }}
        </Loaded>
      </Card>
      {found === undefined || known === undefined ? null : (
        <>
          <TokenSpans moment={found.moment} token={known} />
          <TokenPools moment={found.moment} token={token} />
          <TokenEvents moment={found.moment} token={token} />
        </>
      )}
    </>
  )
}

/** A token as of a block: its figures, the pools that hold it, and its events. */
export const TokenPage = ({ token, ...rest }: TokenOf) => {
  const address = decodeAddress(token.toLowerCase())
  return Option.isNone(address) ? (
    <Problem>{`“${token}” is no address of a token: it must be 0x and 40 hexadecimal digits.`}</Problem>
  ) : (
    <TokenAt {...rest} token={address.value} />
  )
}
