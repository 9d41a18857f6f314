import { groupDigits } from "../format/Count.ts"
import { useBudget } from "../service/Budget.ts"

/** The remaining budget of the key. */
export const Budget = () => {
  const remaining = useBudget()
  return remaining === undefined ? null : (
    <span className="budget" title="Requests that the key may make now, as of the newest response">
      <span className="num">{groupDigits(remaining)}</span> requests left
    </span>
  )
}
