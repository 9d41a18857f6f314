import type { Answer } from "@chaintape/core"
import * as Option from "effect/Option"
import { groupDigits } from "../../format/Count.ts"

/** The block of a response, from its header. */
export const AsOfBadge = ({ answer }: { readonly answer: Answer<unknown> | undefined }) => {
  const asOf = Option.getOrUndefined(answer?.asOf ?? Option.none())
  return asOf === undefined ? null : (
    <span
      className={`badge ${asOf.finalized ? "good" : ""}`}
      title={`Block ${groupDigits(asOf.number)}, ${asOf.hash}${asOf.finalized ? ": final" : ": a reorg can still replace it"}`}
    >
      block <span className="num">{groupDigits(asOf.number)}</span> · {asOf.hash.slice(0, 8)}…{asOf.hash.slice(-4)}
      {asOf.proven ? " · proven" : ""}
      {asOf.finalized ? " · final" : ""}
    </span>
  )
}
