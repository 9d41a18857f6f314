import { Choice } from "../parts/choice/Choice.tsx"
import { Loaded } from "../parts/Loaded.tsx"
import { NoBlock } from "../parts/NoBlock.tsx"
import { NoSuch } from "../parts/NoSuch.tsx"
import type { Route } from "../route/Route.ts"
import { dexHref } from "../route/Route.ts"
import { readStatus } from "../service/Status.ts"
import { usePolling } from "../service/usePolling.ts"
import { DexPage } from "./DexPage.tsx"
import { parseDeployment } from "./moment/Deployment.ts"
import { TransactionPage } from "./transaction/TransactionPage.tsx"

/** The service lists its decentralized exchanges in its status: no operation lists them. */
export const DexView = ({ route }: { readonly route: Extract<Route, { view: "dex" }> }) => {
  const status = usePolling("status", readStatus, undefined)
  return (
    <Loaded live={status} waiting="The decentralized exchanges are being read.">
      {(known) => {
        const deployments = known.sources.filter(({ kind }) => kind === "dex").map(({ id }) => id)
        const deployment = route.deployment ?? deployments[0]
        if (deployment === undefined || deployments.length === 0)
          return <p className="quiet">This service reads no decentralized exchange.</p>
        if (!deployments.includes(deployment))
          return (
            <NoSuch
              kind="decentralized exchange"
              name={deployment}
              links={deployments.map((text) => ({ href: dexHref(text), text }))}
            />
          )
        return (
          <>
            {deployments.length < 2 ? null : (
              <div className="bar">
                <Choice
                  label="Decentralized exchange"
                  choices={deployments}
                  value={deployment}
                  onChoose={(choice) => {
                    window.location.hash = dexHref(choice)
                  }}
                />
              </div>
            )}
            {route.wrongBlock !== undefined ? (
              <NoBlock name={route.wrongBlock} />
            ) : route.transaction === undefined ? (
              <DexPage
                key={deployment}
                deployment={parseDeployment(deployment)}
                block={route.block}
                pool={route.pool}
                token={route.token}
                status={known}
              />
            ) : (
              <TransactionPage
                deployment={parseDeployment(deployment)}
                block={route.block}
                transaction={route.transaction}
              />
            )}
          </>
        )
      }}
    </Loaded>
  )
}
