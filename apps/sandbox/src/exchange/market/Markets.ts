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

interface Progress {
  advancedTo: number
  /** Trades that the store has not accepted yet, and no client has seen. */
  unstored: ReadonlyArray<Trade>
}

/** An absence longer than this many microseconds is a pause in trading; a shorter one is filled with trades. */
const maxAbsence = 600_000_000

/** The markets of the exchange, advanced together. All times are microseconds since 1970. */
export class Markets {
  readonly products: ReadonlyArray<Product>
  readonly #listings: ReadonlyMap<string, Listing>
  readonly #store: JournalStore | undefined
  readonly #progress: ReadonlyMap<string, Progress>

  private constructor(listings: ReadonlyArray<Listing>, store: JournalStore | undefined, now: number) {
    this.products = listings.map(({ product }) => product)
    this.#listings = new Map(listings.map((listing) => [listing.product.id, listing]))
    this.#store = store
    this.#progress = new Map(this.products.map(({ id }) => [id, { advancedTo: now, unstored: [] }]))
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

  /**
   * Lets the agents trade until `now`. A trade is stored first, then visible in the journal and to `publish`. After a failure the
   * next call stores the same trades, and the agents trade only then.
   */
  readonly advanceTo = Effect.fnUntraced(
    { self: this },
    function* (
      now: number,
      publish: (listing: Listing, trades: ReadonlyArray<Trade>) => void = () => {}
    ): Effect.fn.Return<void, JournalStoreError> {
      for (const listing of this.#listings.values()) {
        const progress = this.#progress.get(listing.product.id)
        if (progress === undefined) continue
        if (progress.unstored.length > 0) {
          yield* this.#store?.repair(listing.product, listing.journal) ?? Effect.void
          yield* this.#show(listing, progress, publish)
        }
        if (now - progress.advancedTo > maxAbsence) listing.market.skipTo(now)
        progress.advancedTo = Math.max(now, progress.advancedTo)
        progress.unstored = listing.market.advanceTo(now)
        if (progress.unstored.length > 0) yield* this.#show(listing, progress, publish)
      }
    }
  )

  /** Stores the trades, then publishes them. */
  readonly #show = Effect.fnUntraced(
    { self: this },
    function* (
      listing: Listing,
      progress: Progress,
      publish: (listing: Listing, trades: ReadonlyArray<Trade>) => void
    ): Effect.fn.Return<void, JournalStoreError> {
      const { journal, product } = listing
      const trades = progress.unstored
      if (this.#store !== undefined) yield* this.#store.append(product, trades)
      progress.unstored = []
      for (const trade of trades) journal.append(trade)
      publish(listing, trades)
      if (this.#store?.isLarge(product) === true) yield* this.#store.compact(product, journal)
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
