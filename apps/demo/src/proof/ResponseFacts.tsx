import type { Answer } from "@chaintape/core"
import * as Option from "effect/Option"
import { groupDigits } from "../format/Count.ts"
import { blockHref } from "../route/Route.ts"
import { Fact } from "./Fact.tsx"
import { coverageTexts, isStatedOnly, toFinalityText, toProofText, toSourceText } from "./ProofTexts.ts"
import { Range } from "./Range.tsx"

/** The facts in the headers of a response: its source, its block and its proof. */
export const ResponseFacts = ({
  answer,
  blockchain
}: {
  readonly answer: Answer<unknown>
  readonly blockchain: string | undefined
}) => {
  const { asOf, candleClosed, coverage, source } = answer
  const block = Option.getOrUndefined(asOf)
  const range = Option.getOrUndefined(coverage)
  const isClosed = Option.getOrUndefined(candleClosed)
  return (
    <>
      <Fact name="Source">{Option.match(source, { onNone: () => "not stated", onSome: toSourceText })}</Fact>
      {block === undefined ? null : (
        <>
          <Fact name="Read as of block">
            {blockchain === undefined ? (
              groupDigits(block.number)
            ) : (
              <a href={blockHref(blockchain, block.number)}>{groupDigits(block.number)}</a>
            )}
          </Fact>
          <Fact name="Hash of the block">
            <code>{block.hash}</code>
          </Fact>
          <Fact name="Finality">{toFinalityText(block)}</Fact>
          {isStatedOnly(answer) ? null : <Fact name="Proof">{toProofText(block)}</Fact>}
        </>
      )}
      {range === undefined ? null : (
        <>
          <Fact name="Range">
            <Range coverage={range} />
          </Fact>
          <Fact name="Proof">{coverageTexts[range.state]}</Fact>
        </>
      )}
      {isClosed === undefined ? null : (
        <Fact name="Candle">
          {isClosed
            ? "Closed: it ended at least ten seconds ago. A trade that the exchange shows later can still change it."
            : "Open: further trades change it."}
        </Fact>
      )}
    </>
  )
}
