import { Blocks } from "@chaintape/blocks"
import { Cex } from "@chaintape/cex"
import { Client } from "@chaintape/core"
import { Dex } from "@chaintape/dex"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import type { ReactNode } from "react"
import { createContext, useContext, useEffect, useMemo } from "react"
import { forgetBudget } from "./Budget.ts"
import { SandboxPresence } from "./Sandbox.ts"

/** The three packages on one client. */
export type Packages = Cex | Dex | Blocks

/** All that a session provides. */
export type SessionServices = Packages | SandboxPresence

const services = (apiKey: string) =>
  Layer.mergeAll(Cex.layerNoDeps, Dex.layerNoDeps, Blocks.layerNoDeps).pipe(
    Layer.provide(
      Client.layer({ baseUrl: window.location.origin, apiKey: Redacted.make(apiKey), apiKeyLocation: "header" })
    ),
    Layer.merge(SandboxPresence.layer)
  )

type Runtime = ManagedRuntime.ManagedRuntime<SessionServices, never>

const Current = createContext<Runtime | undefined>(undefined)

/** Provides the client of this key to everything below. */
export const Session = ({ apiKey, children }: { readonly apiKey: string; readonly children: ReactNode }) => {
  const runtime = useMemo(() => ManagedRuntime.make(services(apiKey)), [apiKey])
  useEffect(
    () => () => {
      void runtime.dispose()
      forgetBudget()
    },
    [runtime]
  )
  return <Current value={runtime}>{children}</Current>
}

export const useRuntime = (): Runtime => {
  const runtime = useContext(Current)
  if (runtime === undefined) throw new Error("This component must stand inside a Session.")
  return runtime
}
