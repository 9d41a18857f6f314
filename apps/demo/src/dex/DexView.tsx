import { Choice } from "../parts/Choice.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import type { Route } from "../Route.ts"
import { dexHref } from "../Route.ts"
import { readStatus } from "../service/Status.ts"
import { usePolling } from "../service/usePolling.ts"
import { DexPage } from "./DexPage.tsx"
import { placeOf } from "./Place.ts"

/** The service lists its decentralized exchanges in its status: no operation lists them. */
export const DexView = ({ route }: { readonly route: Extract<Route, { view: "dex" }> }) => {
  const status = usePolling("status", readStatus, "2 seconds")
  return (
    <Loaded live={status} waiting="The decentralized exchanges are being read.">
      {({ indexes, sources }) => {
        const places = sources.filter(({ kind }) => kind === "dex").map(({ id }) => id)
        const place = route.place ?? places[0]
        if (place === undefined) return <p className="quiet">This service reads no decentralized exchange.</p>
        const head =
          indexes.find(({ key }) => key === place)?.indexed ??
          sources.find(({ id, kind }) => kind === "dex" && id === place)?.head ??
          undefined
        return (
          <>
            {places.length < 2 ? null : (
              <div className="bar">
                <Choice
                  label="Decentralized exchange"
                  choices={places}
                  value={place}
                  onChoose={(choice) => {
                    window.location.hash = dexHref(choice)
                  }}
                />
              </div>
            )}
            <DexPage key={place} place={placeOf(place)} pool={route.pool} head={head} />
          </>
        )
      }}
    </Loaded>
  )
}
