import type { Answer } from "@chaintape/core"
import * as Option from "effect/Option"
import type { ReactNode } from "react"
import { useLayoutEffect, useRef } from "react"
import { groupDigits } from "../../format/Count.ts"
import { useCopy } from "../../parts/useCopy.ts"
import "./copy-link.css"

/** The link in place of a button that is gone, whose focus it takes. */
const LinkByHand = ({ children, href }: { readonly children: ReactNode; readonly href: string }) => {
  const link = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => {
    if (document.activeElement === document.body) link.current?.focus()
  }, [])
  return (
    <a ref={link} href={href}>
      {children}
    </a>
  )
}

/** Copies the address of the page as of the block of a response: it shows the same figures at any later time. */
export const CopyLink = ({
  answer,
  toHref
}: {
  readonly answer: Answer<unknown> | undefined
  readonly toHref: (block: number) => string
}) => {
  const { copy, isRefused, said } = useCopy("copy the address of this link.")
  const asOf = Option.getOrUndefined(answer?.asOf ?? Option.none())
  if (asOf === undefined) return null
  const { origin, pathname } = window.location
  const href = toHref(Number(asOf.number))
  const block = <span className="num">{groupDigits(asOf.number)}</span>
  return (
    <span className="copy-link">
      <span className="quiet" role="status">
        {said}
      </span>{" "}
      {isRefused ? (
        <LinkByHand href={href}>Link as of block {block}</LinkByHand>
      ) : (
        <button type="button" className="link" onClick={() => void copy(`${origin}${pathname}${href}`)}>
          Copy link as of block {block}
        </button>
      )}
    </span>
  )
}
