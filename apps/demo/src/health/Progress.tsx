import { groupDigits } from "../format/Count.ts"
import "./progress.css"

/** How far a work is, in blocks. */
export const Progress = ({
  done,
  label,
  of
}: {
  readonly label: string
  readonly done: number | null
  readonly of: number | null
}) =>
  done === null || of === null ? (
    <span className="quiet">–</span>
  ) : (
    <span className="progress">
      <progress aria-label={label} max={Math.max(of, 1)} value={Math.min(done, of)} />
      <span className="num">
        {groupDigits(done)} of {groupDigits(of)}
      </span>
    </span>
  )
