import type { Answer } from "@chaintape/core"
import * as Option from "effect/Option"
import { groupDigits } from "../../parts/Count.ts"
import { useCopy } from "../../parts/useCopy.ts"
import "./copy-link.css"

/** Copies the address of the page as of the block of a response: it shows the same figures at any later time. */
export const CopyLink = ({
  answer,
  toHref
}: {
  readonly answer: Answer<unknown> | undefined
  readonly toHref: (block: number) => string
}) => {
  const { copy, said } = useCopy()
  const asOf = Option.getOrUndefined(answer?.asOf ?? Option.none())
  if (asOf === undefined) return null
  const { origin, pathname } = window.location
  return (
    <span className="copy-link">
      <span className="quiet" role="status">
        {said}
      </span>{" "}
      <button
        type="button"
        className="link"
        onClick={() => void copy(`${origin}${pathname}${toHref(Number(asOf.number))}`)}
      >
        Copy link as of block <span className="num">{groupDigits(asOf.number)}</span>
      </button>
    </span>
  )
}
