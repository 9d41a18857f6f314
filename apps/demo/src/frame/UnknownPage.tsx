import { views } from "../route/Route.ts"

/** For an address that is no page. */
export const UnknownPage = () => (
  <div className="stack">
    <h1>There is no page at this address</h1>
    <p>The link may be cut off. The search above finds markets, pools, tokens and blocks. The pages begin here:</p>
    <ul>
      {views.map(({ href, title, view }) => (
        <li key={view}>
          <a href={href}>{title}</a>
        </li>
      ))}
    </ul>
  </div>
)
