import { useLayoutEffect, useRef } from "react"
import "./more-events.css"

/** Events that are shown at first, and with each step at most. */
export const eventsShown = 20
const step = 100
const max = 1000

/** A button that gives its focus to the list of its card when it goes. */
const MoreButton = ({ onClick }: { readonly onClick: () => void }) => {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const { current } = button
    const list = () => current?.closest("section")?.querySelector<HTMLElement>("[role=region]")
    return () => {
      if (current !== null && current === document.activeElement) list()?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <p className="more">
      <button ref={button} type="button" onClick={onClick}>
        Older events
      </button>
    </p>
  )
}

/** Shows older events, if there may be any. */
export const MoreEvents = ({
  count,
  isReading,
  limit,
  onMore
}: {
  readonly count: number
  readonly limit: number
  /** Whether the events are those of another read: the button stays until it is known whether there are more. */
  readonly isReading: boolean
  readonly onMore: (limit: number) => void
}) => {
  const answered = useRef(limit)
  if (!isReading) answered.current = limit
  return count < answered.current || answered.current >= max ? null : (
    <MoreButton onClick={() => onMore(Math.min(max, answered.current + step))} />
  )
}
