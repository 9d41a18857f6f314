import type { Claim, ClaimEvidence } from "./Claim.ts"
import { isConfirmed } from "./Claim.ts"

/** Every digit of the figures, and of those of the response if they differ. */
export const ValueTable = ({
  claim,
  evidence
}: {
  readonly claim: Claim
  readonly evidence: ClaimEvidence | undefined
}) => {
  const changed = evidence === undefined || isConfirmed(claim, evidence) ? undefined : new Map(evidence.values)
  return (
    <table className="values">
      <thead>
        <tr>
          <th scope="col">Value</th>
          <th scope="col">On the page</th>
          {changed === undefined ? null : <th scope="col">In the response</th>}
        </tr>
      </thead>
      <tbody>
        {claim.values.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>
              <code data-exact={name}>{value}</code>
            </td>
            {changed === undefined ? null : (
              <td>
                <code>{changed.get(name) ?? "–"}</code>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
