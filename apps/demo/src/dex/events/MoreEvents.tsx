import "./more-events.css"

/** Events that are shown at first, and with each step at most. */
export const eventsShown = 20
const step = 100
const max = 1000

/** Shows older events, if there may be any. */
export const MoreEvents = ({
  count,
  limit,
  onMore
}: {
  readonly count: number
  readonly limit: number
  readonly onMore: (limit: number) => void
}) =>
  count < limit || limit >= max ? null : (
    <p className="more">
      <button type="button" onClick={() => onMore(Math.min(max, limit + step))}>
        Older events
      </button>
    </p>
  )
