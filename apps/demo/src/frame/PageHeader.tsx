import type { Route } from "../route/Route.ts"
import { views } from "../route/Route.ts"
import { Search } from "../search/Search.tsx"
import { Budget } from "./Budget.tsx"
import "./page-header.css"

export const PageHeader = ({ route, onTry }: { readonly route: Route; readonly onTry: () => void }) => (
  <header className="top">
    <a className="brand" href="#/market">
      Chaintape
    </a>
    <nav aria-label="Views">
      {views.map(({ href, title, view }) => (
        <a key={view} href={href} aria-current={route.view === view ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
    <Search />
    <div className="tools">
      <Budget />
      <button type="button" className="primary" onClick={onTry}>
        Try it
      </button>
    </div>
  </header>
)
