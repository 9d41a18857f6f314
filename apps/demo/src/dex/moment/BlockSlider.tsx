import { useId } from "react"

/** Selects the block as of which everything is shown; at its end, always the newest one. */
export const BlockSlider = ({
  block,
  head,
  onMove
}: {
  readonly head: number | undefined
  readonly block: number | undefined
  readonly onMove: (block: number | undefined) => void
}) => {
  const id = useId()
  const newest = head ?? 1
  return (
    <div className="card slider">
      <label htmlFor={id}>
        {block === undefined ? "As of the newest block" : "As of block"}{" "}
        <strong className="num" data-block={block ?? newest}>
          {(block ?? newest).toLocaleString("en")}
        </strong>
        {block === undefined ? ", which moves on" : ` of ${newest.toLocaleString("en")}`}
      </label>
      <button type="button" disabled={block === undefined} onClick={() => onMove(undefined)}>
        Back to live
      </button>
      <input
        id={id}
        type="range"
        min={1}
        max={newest}
        value={block ?? newest}
        disabled={head === undefined}
        onChange={(event) => {
          const moved = Number(event.target.value)
          onMove(moved >= newest ? undefined : moved)
        }}
      />
    </div>
  )
}
