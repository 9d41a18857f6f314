import type { Token } from "@chaintape/core"
import type { ReactNode } from "react"
import { Figure } from "../../parts/Figure.tsx"
import { Proven } from "../../proof/Proven.tsx"
import type { ResponseAt } from "../claims/DexClaims.ts"
import { toTokenClaim } from "../claims/DexClaims.ts"
import { noPriceUSD, PriceUSD } from "../name/PriceUSD.tsx"
import { TokenName, toSymbol } from "../name/TokenName.tsx"
import { toPriceUSD } from "../name/TokenPrice.ts"

interface TokenFigure {
  readonly title: ReactNode
  readonly name: string
  readonly shape: "dollarPrice" | "price" | "dollars" | "short" | "grouped"
  readonly toValue: (token: Token) => string
}

const toFigures = (token: Token): ReadonlyArray<TokenFigure> => {
  const [symbol, name] = [toSymbol(token), <TokenName token={token} />]
  return [
    {
      title: "Price in USD",
      name: "Price, USD",
      shape: "dollarPrice",
      toValue: (one) => toPriceUSD(one) ?? noPriceUSD
    },
    { title: "Price in native coin", name: "Price, native coin", shape: "price", toValue: (one) => one.derivedETH },
    { title: "TVL", name: "TVL, USD", shape: "dollars", toValue: (one) => one.totalValueLockedUSD },
    { title: <>TVL in {name}</>, name: `TVL, ${symbol}`, shape: "short", toValue: (one) => one.totalValueLocked },
    { title: "Volume, all time", name: "Volume, USD", shape: "dollars", toValue: (one) => one.volumeUSD },
    { title: <>Volume in {name}</>, name: `Volume, ${symbol}`, shape: "short", toValue: (one) => one.volume },
    { title: "Fees, all time", name: "Fees, USD", shape: "dollars", toValue: (one) => one.feesUSD },
    { title: "Pools", name: "Pools", shape: "grouped", toValue: (one) => one.poolCount },
    { title: "Events, all time", name: "Events", shape: "grouped", toValue: (one) => one.txCount }
  ]
}

/** The figures of a token as of a block. */
export const TokenFigures = ({ answer, token }: { readonly answer: ResponseAt; readonly token: Token }) => (
  <dl className="figures">
    {toFigures(token).map(({ name, shape, title, toValue }) => (
      <div key={name}>
        <dt>{title}</dt>
        <dd data-figure={name}>
          <Proven of={name} claim={() => toTokenClaim(answer, token, name, toValue)}>
            {shape === "dollarPrice" ? (
              <PriceUSD price={toPriceUSD(token)} />
            ) : (
              <Figure value={toValue(token)} as={shape} />
            )}
          </Proven>
        </dd>
      </div>
    ))}
  </dl>
)
