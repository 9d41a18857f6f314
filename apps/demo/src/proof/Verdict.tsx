import * as Option from "effect/Option"
import type { Claim, ClaimEvidence } from "./Claim.ts"
import { isConfirmed } from "./Claim.ts"
import { isStatedOnly } from "./ProofTexts.ts"

const toBadge = (claim: Claim, evidence: ClaimEvidence) => {
  const { answer, values } = evidence
  if (values === undefined) return ["warn", "not in the response"] as const
  if (!isConfirmed(claim, evidence)) return ["warn", "changed"] as const
  const isComplete = Option.exists(answer.coverage, ({ state }) => state === "complete")
  if (isComplete || Option.exists(answer.asOf, ({ proven }) => proven)) return ["good", "proven"] as const
  return isStatedOnly(answer) ? (["", "stated by a node"] as const) : (["warn", "not proven"] as const)
}

/** Whether the figures are proven, and whether a request returned the same ones. */
export const Verdict = ({ claim, evidence }: { readonly claim: Claim; readonly evidence: ClaimEvidence }) => {
  const [kind, word] = toBadge(claim, evidence)
  return (
    <p role="status" data-verdict={word}>
      <span className={`badge ${kind}`}>{word}</span>{" "}
      {isConfirmed(claim, evidence)
        ? "The page sent the request below now: the response has the same values."
        : evidence.values === undefined
          ? "The page sent the request below now: the response does not have these values."
          : "The page sent the request below now: the values have changed since."}
    </p>
  )
}
