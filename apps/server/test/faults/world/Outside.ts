import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Fault, JournalTrade } from "@chaintape/sandbox"
import { Announcement } from "@chaintape/sandbox/Announcement"
import { Effect, Option, Schedule, Schema } from "effect"
import { waitFor } from "../../cex/tape/record/RecordingService.ts"
import { startChild } from "./Child.ts"
import { Workshop } from "./Workshop.ts"

const program = fileURLToPath(import.meta.resolve("@chaintape/sandbox/main"))
const decodeAnnouncement = Schema.decodeUnknownOption(Schema.fromJsonString(Announcement))

const Trade = Schema.Struct({
  trade_id: Schema.Int,
  sequence: Schema.Int,
  time: Schema.String,
  side: Schema.Literals(["buy", "sell"]),
  price: Schema.String,
  size: Schema.String,
  maker_order_id: Schema.String,
  taker_order_id: Schema.String
})
const Page = Schema.Struct({ last: Schema.Int, trades: Schema.Array(Trade) })
const decodePage = Schema.decodeUnknownEffect(Schema.fromJsonString(Page))

const Head = Schema.Struct({ result: Schema.String })
const decodeHead = Schema.decodeUnknownEffect(Schema.fromJsonString(Head))

const exchange = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`)
  return text
}

/** A keep-alive connection may close just then. */
const ask = (url: string, init?: RequestInit) =>
  Effect.tryPromise(() => exchange(url, init)).pipe(
    Effect.retry({ times: 3, schedule: Schedule.spaced("500 millis") }),
    Effect.orDie
  )
const body = (method: string, content: unknown): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(content)
})

const readPage = (rest: string, product: string, from: number, limit: number) =>
  Effect.flatMap(ask(`${rest}/sandbox/journal/${product}?from=${from}&limit=${limit}`), decodePage).pipe(Effect.orDie)

const maxPage = 10_000

/** An exchange with its journal and a chain, in a process that no fault of the suite ends. */
export const startOutside = Effect.gen(function* () {
  const { directory } = yield* Workshop
  const child = yield* startChild({
    name: "sandbox",
    command: process.execPath,
    args: ["--conditions=chaintape-source", program],
    environment: { SANDBOX_ATTACHED: "true", SANDBOX_JOURNAL_DIR: join(directory, "journal") },
    ending: "input"
  })
  const { chain, exchange } = yield* waitFor(
    "the sandbox",
    Effect.sync(() => {
      if (!child.isRunning()) throw new Error(`The sandbox has ended: ${child.log()}`)
      return child
        .log()
        .split("\n")
        .map((line) => decodeAnnouncement(line))
        .find(Option.isSome)?.value
    }),
    120_000
  )
  const { rest } = exchange
  // The proofs read one index.
  const [dex] = chain.dexes
  if (dex === undefined) throw new Error("the sandbox has no decentralized exchange")
  return {
    chain: { ...chain, dexes: [dex], factory: dex.factory },
    exchange,
    products: exchange.markets.map((market) => market.replace("/", "-")),
    /** The id of a market's newest trade. */
    newest: (product: string) => Effect.map(readPage(rest, product, 1, 1), ({ last }) => last),
    /** The trades of a market up to an id. */
    journal: Effect.fnUntraced(function* (product: string, to: number) {
      const trades: Array<JournalTrade> = []
      for (;;) {
        const page = yield* readPage(rest, product, (trades.at(-1)?.trade_id ?? 0) + 1, maxPage)
        trades.push(...page.trades.filter(({ trade_id }) => trade_id <= to))
        if (page.trades.length < maxPage || (trades.at(-1)?.trade_id ?? 0) >= to) return trades
      }
    }),
    /** Replaces the faults of the exchange. */
    suffer: (faults: ReadonlyArray<Fault>) => Effect.asVoid(ask(`${rest}/sandbox/faults`, body("PUT", { faults }))),
    /** The number of the chain's newest block. */
    head: ask(chain.rpc, body("POST", { jsonrpc: "2.0", id: 1, method: "eth_blockNumber", params: [] })).pipe(
      Effect.flatMap(decodeHead),
      Effect.orDie,
      Effect.map(({ result }) => Number(result))
    ),
    reorg: (depth: number) => Effect.asVoid(ask(`${chain.control}/sandbox/reorg`, body("POST", { depth })))
  }
})

export type Outside = Effect.Success<typeof startOutside>
