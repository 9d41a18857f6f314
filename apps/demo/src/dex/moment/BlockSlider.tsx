import { useId, useState } from "react"
import "./block-slider.css"

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
  const [text, setText] = useState("")
  const newest = head ?? 1
  return (
    <div className="card slider">
      <label htmlFor={id}>
        {block === undefined ? "Live, as of block" : "As of block"}{" "}
        <strong className="num" data-block={block ?? newest}>
          {(block ?? newest).toLocaleString("en")}
        </strong>
        {block === undefined ? "" : ` of ${newest.toLocaleString("en")}`}
      </label>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const digits = text.replaceAll(/[,\s]/g, "")
          if (!/^\d{1,15}$/.test(digits)) return
          const wanted = Math.max(1, Number(digits))
          onMove(head !== undefined && wanted >= head ? undefined : wanted)
          setText("")
        }}
      >
        <input
          aria-label="Go to block"
          placeholder="Block number"
          inputMode="numeric"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
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
