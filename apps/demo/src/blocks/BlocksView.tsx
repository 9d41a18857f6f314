import { Blocks } from "@chaintape/blocks"
import * as Effect from "effect/Effect"
import { Choice } from "../parts/choice/Choice.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { NoSuch } from "../parts/NoSuch.tsx"
import type { Route } from "../route/Route.ts"
import { chainHref } from "../route/Route.ts"
import { usePolling } from "../service/usePolling.ts"
import { BlockPage } from "./BlockPage.tsx"
import { ChainPage } from "./ChainPage.tsx"

const readBlockchains = Effect.flatMap(Blocks, (blocks) => blocks.blockchains({}))

export const BlocksView = ({ route }: { readonly route: Extract<Route, { view: "blocks" }> }) => {
  const live = usePolling("blockchains", readBlockchains, undefined)
  return (
    <Loaded live={live} waiting="The blockchains are being read.">
      {(all) => {
        const blockchain = route.blockchain ?? all[0]?.id
        return blockchain === undefined || all.length === 0 ? (
          <p className="quiet">This service reads no blockchain.</p>
        ) : all.every(({ id }) => id !== blockchain) ? (
          <NoSuch
            kind="blockchain"
            name={blockchain}
            links={all.map(({ id }) => ({ href: chainHref(id), text: id }))}
          />
        ) : (
          <div className="stack">
            {all.length < 2 ? null : (
              <Choice
                label="Blockchain"
                choices={all.map(({ id }) => id)}
                value={blockchain}
                onChoose={(id) => {
                  window.location.hash = chainHref(id)
                }}
              />
            )}
            {route.block === undefined ? (
              <ChainPage key={blockchain} blockchain={blockchain} />
            ) : (
              <BlockPage blockchain={blockchain} block={route.block} />
            )}
          </div>
        )
      }}
    </Loaded>
  )
}
