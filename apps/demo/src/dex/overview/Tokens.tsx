import { type Token as DexToken, TokenAddress } from "@chaintape/core"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { useState } from "react"
import { Card } from "../../parts/Card.tsx"
import { Figure } from "../../parts/Figure.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Pages } from "../../parts/table/Pages.tsx"
import type { Order } from "../../parts/table/Sorted.tsx"
import { Sorted } from "../../parts/table/Sorted.tsx"
import { Cell, Head, Row, Table } from "../../parts/table/Table.tsx"
import { Proven } from "../../proof/Proven.tsx"
import { tokenHref } from "../../route/Route.ts"
import type { ResponseAt } from "../claims/DexClaims.ts"
import { toTokenClaim } from "../claims/DexClaims.ts"
import type { Moment } from "../moment/Deployment.ts"
import { at, toName } from "../moment/Deployment.ts"
import { useAt } from "../moment/useAt.ts"
import { noPriceUSD, PriceUSD } from "../name/PriceUSD.tsx"
import { Token } from "../name/Token.tsx"
import { toVisible } from "../name/TokenName.tsx"
import { toPriceUSD } from "../name/TokenPrice.ts"

const columns = [
  ["derivedETH", "Price, native coin", "price"],
  ["totalValueLockedUSD", "TVL", "dollars"],
  ["volumeUSD", "Volume", "dollars"],
  ["poolCount", "Pools", "grouped"]
] as const satisfies ReadonlyArray<readonly [keyof DexToken, string, "dollars" | "price" | "grouped"]>

type Field = (typeof columns)[number][0]

const size = 8

const decodeAddress = Schema.decodeUnknownOption(TokenAddress)

const toFilter = (text: string) => {
  const address = decodeAddress(text.toLowerCase())
  if (Option.isSome(address)) return { tokenId: address.value }
  return text === "" ? {} : { tokenSymbol: text }
}

const TokenRow = ({
  answer,
  moment,
  token
}: {
  readonly answer: ResponseAt
  readonly moment: Moment
  readonly token: DexToken
}) => (
  <Row>
    <Cell label="Token">
      <a href={tokenHref(toName(moment.deployment), token.id, moment.block)}>
        <Token token={token} />
      </a>
    </Cell>
    <Cell label="Price, USD" data-field="priceUSD">
      <Proven
        of="Price, USD"
        claim={() => toTokenClaim(answer, token, "Price, USD", (one) => toPriceUSD(one) ?? noPriceUSD)}
      >
        <PriceUSD price={toPriceUSD(token)} />
      </Proven>
    </Cell>
    {columns.map(([field, title, shape]) => (
      <Cell key={field} label={title}>
        <Proven of={title} claim={() => toTokenClaim(answer, token, title, (one) => one[field])}>
          <Figure value={token[field]} as={shape} />
        </Proven>
      </Cell>
    ))}
  </Row>
)

/** Tokens as sorted, filtered and paged by the service. */
export const Tokens = ({ moment }: { readonly moment: Moment }) => {
  const [order, setOrder] = useState<Order<Field>>({ by: "totalValueLockedUSD", direction: "desc" })
  const [page, setPage] = useState(0)
  const [text, setText] = useState("")
  const symbol = text.trim()
  const request = {
    ...at(moment),
    orderBy: order.by,
    orderDirection: order.direction,
    limit: size,
    skip: page * size,
    logo: true,
    ...toFilter(symbol)
  }
  const live = useAt(moment, `tokens ${JSON.stringify(request)}`, (dex) => dex.withResponse.tokens(request))
  const begin = (change: () => void) => {
    change()
    setPage(0)
  }
  return (
    <Card
      title="Tokens"
      aside={
        <input
          className="filter"
          aria-label="Only tokens with this symbol or address"
          placeholder="Symbol or address"
          value={text}
          onChange={(event) => begin(() => setText(event.target.value))}
        />
      }
    >
      <Loaded live={live} waiting="The tokens are being read.">
        {(answer) =>
          answer.value.length === 0 ? (
            <p className="quiet">
              No token{" "}
              {symbol === "" ? (
                "exists"
              ) : (
                <>
                  is called “<bdi>{toVisible(symbol)}</bdi>”
                </>
              )}{" "}
              at this block.
            </p>
          ) : (
            <Table
              label="Table of tokens"
              isSorted
              head={
                <>
                  <Head>Token</Head>
                  <Head>Price, USD</Head>
                  {columns.map(([field, title]) => (
                    <Sorted
                      key={field}
                      field={field}
                      title={title}
                      order={order}
                      onOrder={(next) => begin(() => setOrder(next))}
                    />
                  ))}
                </>
              }
            >
              {answer.value.map((token) => (
                <TokenRow key={token.id} answer={answer} moment={moment} token={token} />
              ))}
            </Table>
          )
        }
      </Loaded>
      <Pages page={page} size={size} count={live.value?.value.length ?? 0} onTurn={setPage} />
    </Card>
  )
}
