import type { DataSource } from "../../internal/handler/DataHeaders.ts"
import type { Origin } from "../trades/JoinedTrades.ts"

const names = { tape: "record", exchange: "ccxt" } as const satisfies Record<Origin, DataSource>

/** The names of origins in the header `Chaintape-Source`. */
export const toSources = (origins: ReadonlyArray<Origin>): ReadonlyArray<DataSource> =>
  origins.map((origin) => names[origin])
