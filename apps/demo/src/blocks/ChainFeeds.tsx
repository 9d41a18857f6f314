import type { ReactNode } from "react"
import { createContext, useContext, useState } from "react"
import type { ChainFeeds } from "./ChainFeed.ts"

const Current = createContext<ChainFeeds | undefined>(undefined)

/** Keeps the feeds of the chains for everything below. */
export const ChainFeedsProvider = ({ children }: { readonly children: ReactNode }) => {
  const [feeds] = useState<ChainFeeds>(() => new Map())
  return <Current value={feeds}>{children}</Current>
}

export const useChainFeeds = (): ChainFeeds => {
  const feeds = useContext(Current)
  if (feeds === undefined) throw new Error("This component must stand inside a ChainFeedsProvider.")
  return feeds
}
