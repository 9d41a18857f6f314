import { Effect } from "effect"
import { Journal } from "./Journal.ts"
import type { JournalStore } from "./JournalStore.ts"
import type { JournalStoreError } from "./JournalStoreError.ts"
import { Market } from "./Market.ts"
import type { Product } from "./Product.ts"
import type { Trade } from "./Trade.ts"

/** A product, its agents and its tape. */
export interface Listing {
  readonly product: Product
  readonly market: Market
  readonly journal: Journal
}

export interface MarketsOptions {
  readonly products: ReadonlyArray<Product>
  readonly seed: number
  /** Per product. */
  readonly tradesPerSecond: number
  /** Per product, before the exchange was first started. */
  readonly historyTradesPerSecond: number
  /** Microseconds of tape that exist at the first start. */
  readonly history: number
  /** Trades that are retained per product. */
  readonly retain: number
  readonly store: JournalStore | undefined
}

/** An absence longer than this many microseconds is a pause in trading; a shorter one is filled with trades. */
const maxAbsence = 600_000_000

/** The markets of the exchange, advanced together. All times are microseconds since 1970. */
export class Markets {
  readonly products: ReadonlyArray<Product>
  readonly #listings: ReadonlyMap<string, Listing>
  readonly #store: JournalStore | undefined
  #advancedTo: number

  private constructor(listings: ReadonlyArray<Listing>, store: JournalStore | undefined, now: number) {
    this.products = listings.map(({ product }) => product)
    this.#listings = new Map(listings.map((listing) => [listing.product.id, listing]))
    this.#store = store
    this.#advancedTo = now
  }

  /** Loads or generates the past of every product, up to `now`. */
  static readonly open = Effect.fn("Markets.open")(function* (
    options: MarketsOptions,
    now: number
  ): Effect.fn.Return<Markets, JournalStoreError> {
    const listings: Array<Listing> = []
    for (const product of options.products) {
      const past = options.store === undefined ? [] : yield* options.store.load(product)
      listings.push(open(options, product, past, now))
    }
    const markets = new Markets(listings, options.store, now)
    yield* markets.advanceTo(now)
    return markets
  })

  get(product: string): Listing | undefined {
    return this.#listings.get(product)
  }

  get all(): Iterable<Listing> {
    return this.#listings.values()
  }

  /** Lets the agents trade until `now`. A trade is stored first, then visible in the journal and to `publish`. */
  readonly advanceTo = Effect.fnUntraced(
    { self: this },
    function* (
      now: number,
      publish: (listing: Listing, trades: ReadonlyArray<Trade>) => void = () => {}
    ): Effect.fn.Return<void, JournalStoreError> {
      const slept = now - this.#advancedTo > maxAbsence
      this.#advancedTo = Math.max(now, this.#advancedTo)
      for (const listing of this.#listings.values()) {
        const { journal, market, product } = listing
        if (slept) market.skipTo(now)
        const trades = market.advanceTo(now)
        if (trades.length === 0) continue
        if (this.#store !== undefined) yield* this.#store.append(product, trades)
        for (const trade of trades) journal.append(trade)
        publish(listing, trades)
        if (this.#store?.isLarge(product) === true) yield* this.#store.compact(product, journal)
      }
    }
  )
}

const open = (options: MarketsOptions, product: Product, past: ReadonlyArray<Trade>, now: number): Listing => {
  const journal = new Journal(options.retain, past[0])
  for (const trade of past) journal.append(trade)
  const resume = past.at(-1)
  const absent = resume === undefined ? options.history : now - resume.time
  const market = new Market({
    product,
    seed: `${options.seed}/${product.id}/${resume?.tradeId ?? 0}`,
    from: resume !== undefined && absent > maxAbsence ? now : now - absent,
    tradesPerSecond: options.tradesPerSecond,
    before: resume === undefined ? { time: now, tradesPerSecond: options.historyTradesPerSecond } : undefined,
    resume
  })
  return { product, market, journal }
}
