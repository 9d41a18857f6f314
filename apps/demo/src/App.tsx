import type { Timeframe } from "@chaintape/core"
import type { ReactElement } from "react"
import { useEffect, useState } from "react"
import { BlocksView } from "./blocks/BlocksView.tsx"
import { DexView } from "./dex/DexView.tsx"
import { KeyEntry } from "./frame/KeyEntry.tsx"
import { PageFooter } from "./frame/PageFooter.tsx"
import { PageHeader } from "./frame/PageHeader.tsx"
import { UnknownPage } from "./frame/UnknownPage.tsx"
import { HealthView } from "./health/HealthView.tsx"
import { MarketView } from "./market/MarketView.tsx"
import { ErrorBoundary } from "./parts/ErrorBoundary.tsx"
import { DayChange } from "./parts/time/DayChange.ts"
import { closeProof, useOpenProof } from "./proof/Claim.ts"
import { ProofDialog } from "./proof/ProofDialog.tsx"
import type { Route } from "./route/Route.ts"
import { parseRoute, toTitle, useHash } from "./route/Route.ts"
import { usePagePosition } from "./route/usePagePosition.ts"
import { useKey } from "./service/Key.ts"
import { usePageName } from "./service/PageName.ts"
import { Session } from "./service/Session.tsx"
import { Tour } from "./tour/Tour.tsx"
import { TryIt } from "./tryit/TryIt.tsx"

const ViewOf = ({ route }: { readonly route: Exclude<Route, { view: "market" }> }): ReactElement => {
  switch (route.view) {
    case "dex":
      return <DexView route={route} />
    case "blocks":
      return <BlocksView route={route} />
    case "health":
      return <HealthView />
    case "unknown":
      return <UnknownPage />
  }
}

export const App = () => {
  const key = useKey()
  const hash = useHash()
  const route = parseRoute(hash)
  const claim = useOpenProof()
  const [isTrying, setTrying] = useState(false)
  const [lastTimeframe, setLastTimeframe] = useState<Timeframe>("1m")
  const title = toTitle(route, usePageName())
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
  // After the dialogs are closed: an open one keeps the focus.
  usePagePosition()
  if (key === undefined) return <KeyEntry />
  return (
    <Session apiKey={key}>
      <DayChange />
      <PageHeader route={route} onTry={() => setTrying(true)} />
      <main id="main" tabIndex={-1} aria-label={title}>
        <Tour />
        <ErrorBoundary key={route.view} address={hash}>
          {route.view === "market" ? (
            <MarketView route={route} lastTimeframe={lastTimeframe} onTimeframe={setLastTimeframe} />
          ) : (
            <ViewOf route={route} />
          )}
        </ErrorBoundary>
      </main>
      <PageFooter />
      {isTrying ? <TryIt apiKey={key} onClose={() => setTrying(false)} /> : null}
      {claim === undefined ? null : <ProofDialog apiKey={key} claim={claim} />}
    </Session>
  )
}
