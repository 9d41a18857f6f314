import type { ReactNode } from "react"
import type { Claim } from "./Claim.ts"
import { openProof } from "./Claim.ts"
import "./proven.css"

/** A figure that opens its proof. `of` names it. */
export const Proven = ({
  children,
  claim,
  of
}: {
  readonly of: string
  readonly claim: () => Claim
  readonly children: ReactNode
}) => (
  <button
    type="button"
    className="proven"
    aria-haspopup="dialog"
    title={`Proof: ${of}`}
    onClick={() => openProof(claim())}
  >
    {children}
  </button>
)
