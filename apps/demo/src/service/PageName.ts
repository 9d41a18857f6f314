import { useEffect, useSyncExternalStore } from "react"
import { makeStore } from "./Store.ts"

/** The name of the pool or the token that the page shows, once it is read. */
const store = makeStore<string | undefined>(undefined)

/** Names the page as long as the component is shown. */
export const useSetPageName = (name: string | undefined): void => {
  useEffect(() => {
    store.set(name)
    return () => store.set(undefined)
  }, [name])
}

export const usePageName = (): string | undefined => useSyncExternalStore(store.subscribe, store.get)
