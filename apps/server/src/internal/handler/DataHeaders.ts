/** Where the rows of a response come from. */
export const dataSources = ["record", "ccxt", "index", "subgraph", "rpc"] as const
export type DataSource = (typeof dataSources)[number]

interface AsOf {
  readonly number: number | string
  readonly hash: string
  readonly finalized: boolean
  /** Absent where nothing is proven or refuted. */
  readonly proven?: boolean | undefined
}

const toFlag = (value: boolean): string => (value ? "?1" : "?0")

const toText = ({ finalized, hash, number, proven }: AsOf): string =>
  `number=${number}, hash="${hash}", finalized=${toFlag(finalized)}` +
  (proven === undefined ? "" : `, proven=${toFlag(proven)}`)

/**
 * The headers that say what a response is. `asOf` is the block as of which the data hold. Every later response to the
 * request of an immutable one is equal, apart from the head in its headers.
 */
export const dataHeaders = ({
  asOf,
  candleClosed,
  coverage,
  isImmutable = false,
  sources
}: {
  readonly sources: ReadonlyArray<DataSource>
  readonly asOf?: AsOf | undefined
  readonly coverage?: string
  /** Whether the last candle is closed. */
  readonly candleClosed?: boolean | undefined
  readonly isImmutable?: boolean
}): Record<string, string> => ({
  "chaintape-source": sources.join(", "),
  ...(asOf === undefined ? {} : { "chaintape-as-of": toText(asOf) }),
  ...(coverage === undefined ? {} : { "chaintape-coverage": coverage }),
  ...(isImmutable ? { "cache-control": "private, max-age=31536000, immutable" } : {}),
  ...(candleClosed === undefined ? {} : { "chaintape-candle": `closed=${toFlag(candleClosed)}` })
})
