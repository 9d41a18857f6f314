import { useEffect, useState } from "react"
import { BlocksView } from "./blocks/BlocksView.tsx"
import { DexView } from "./dex/DexView.tsx"
import { HealthView } from "./health/HealthView.tsx"
import { KeyEntry } from "./KeyEntry.tsx"
import { MarketView } from "./market/MarketView.tsx"
import { groupDigits } from "./parts/Count.ts"
import { ErrorBoundary } from "./parts/ErrorBoundary.tsx"
import { ZoneChoice } from "./parts/ZoneChoice.tsx"
import { closeProof, useOpenProof } from "./proof/Claim.ts"
import { ProofDialog } from "./proof/ProofDialog.tsx"
import type { Route } from "./route/Route.ts"
import { parseRoute, toTitle, useHash, views } from "./route/Route.ts"
import { Search } from "./search/Search.tsx"
import { useBudget } from "./service/Budget.ts"
import { setKey, useKey } from "./service/Key.ts"
import { Session } from "./service/Session.tsx"
import { Tour } from "./tour/Tour.tsx"
import { TryIt } from "./tryit/TryIt.tsx"
import { UnknownPage } from "./UnknownPage.tsx"

const ViewOf = ({ route }: { readonly route: Route }) => {
  if (route.view === "dex") return <DexView route={route} />
  if (route.view === "blocks") return <BlocksView route={route} />
  if (route.view === "health") return <HealthView />
  return route.view === "unknown" ? <UnknownPage /> : <MarketView route={route} />
}

const Budget = () => {
  const remaining = useBudget()
  return remaining === undefined ? null : (
    <span className="budget" title="Requests that the key may make now, as of the newest response">
      <span className="num">{groupDigits(remaining)}</span> requests left
    </span>
  )
}

const Top = ({ route, onTry }: { readonly route: Route; readonly onTry: () => void }) => (
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

const Foot = () => (
  <footer className="foot">
    <p>
      <a href="/about">All operations</a> <a href="/docs">Documentation</a> <a href="/status">Status</a>{" "}
      <a href="/sign-up">Sign up</a> <a href="/dashboard">Your keys</a>{" "}
      <button type="button" className="link" onClick={() => setKey(undefined)}>
        Use another key
      </button>
    </p>
    <p className="quiet">
      <ZoneChoice /> Charts by <a href="https://www.tradingview.com/">TradingView Lightweight Charts™</a>. All data of
      this page comes from this service.
    </p>
  </footer>
)

export const App = () => {
  const key = useKey()
  const route = parseRoute(useHash())
  const claim = useOpenProof()
  const [isTrying, setTrying] = useState(false)
  const title = toTitle(route)
  useEffect(() => {
    document.title = title
  }, [title])
  useEffect(() => {
    const close = () => {
      setTrying(false)
      closeProof()
    }
    window.addEventListener("hashchange", close)
    return () => window.removeEventListener("hashchange", close)
  }, [])
  if (key === undefined) return <KeyEntry />
  return (
    <Session apiKey={key}>
      <Top route={route} onTry={() => setTrying(true)} />
      <main id="main" tabIndex={-1}>
        <Tour />
        <ErrorBoundary key={route.view}>
          <ViewOf route={route} />
        </ErrorBoundary>
      </main>
      <Foot />
      {isTrying ? <TryIt apiKey={key} onClose={() => setTrying(false)} /> : null}
      {claim === undefined ? null : <ProofDialog apiKey={key} claim={claim} />}
    </Session>
  )
}
