import "./pages.css"

/** Pages through a list. A next page exists if the page is full. */
export const Pages = ({
  count,
  onTurn,
  page,
  size
}: {
  readonly page: number
  readonly size: number
  readonly count: number
  readonly onTurn: (page: number) => void
}) =>
  page === 0 && count < size ? null : (
    <nav className="pages" aria-label="Pages">
      <button type="button" disabled={page === 0} onClick={() => onTurn(page - 1)}>
        Previous
      </button>
      <span className="quiet num">{count === 0 ? "none" : `${page * size + 1} to ${page * size + count}`}</span>
      <button type="button" disabled={count < size} onClick={() => onTurn(page + 1)}>
        Next
      </button>
    </nav>
  )
