import type { Market } from "@chaintape/core"

/** A market of an exchange, as requests name it. */
export interface Listing {
  readonly exchange: string
  readonly market: Market
}
