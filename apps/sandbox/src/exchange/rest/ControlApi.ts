import { Clock, Effect, Result, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { FaultSet } from "../faults/Fault.ts"
import type { FaultBoard } from "../faults/FaultBoard.ts"
import * as FixedPoint from "../market/FixedPoint.ts"
import type { Listing, Markets } from "../market/Markets.ts"
import type { Counters } from "./Counters.ts"
import { json } from "./RestApi.ts"
import type { RestResponse } from "./RestApi.ts"
import { isoMicros, journalTrade } from "./Wire.ts"

export interface ControlOptions {
  readonly markets: Markets
  readonly board: FaultBoard
  readonly counters: Counters
  readonly halted: () => string | undefined
}

const decodeFaultSet = Schema.decodeUnknownEffect(Schema.fromJsonString(FaultSet), {
  errors: "all",
  onExcessProperty: "error"
})

const maxPage = 10_000
const sentence = (message: string, status: number): RestResponse => json({ message }, status)

/** Whether a URL belongs to the sandbox's control interface and not to the simulated exchange. */
export const isControl = (url: string): boolean => url.startsWith("/sandbox/")

/** The sandbox's control endpoints. No fault and no rate limit affects them. */
export const control = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  options: ControlOptions
): Effect.fn.Return<RestResponse> {
  const [path = "", query = ""] = request.url.split("?", 2)
  const [, , name, product, ...rest] = path.split("/")
  if (name === "faults" && product === undefined) return yield* answerFaults(request, options)
  if (request.method !== "GET" || rest.length > 0) return toNotFound(request, path)
  if (name === "status" && product === undefined) return yield* readStatus(options)
  if (name !== "journal" || product === undefined) return toNotFound(request, path)
  const listing = options.markets.get(product)
  return listing === undefined
    ? sentence(`The sandbox exchange does not list the product "${product}".`, 404)
    : toJournal(listing, new URLSearchParams(query))
})

const toNotFound = (request: HttpServerRequest.HttpServerRequest, path: string): RestResponse =>
  sentence(`The sandbox exchange does not serve ${request.method} "${path}".`, 404)

const answerFaults = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  { board, markets }: ControlOptions
): Effect.fn.Return<RestResponse> {
  if (request.method === "GET") return json(board.state)
  if (request.method === "DELETE") {
    board.reset()
    return json(board.state)
  }
  if (request.method !== "PUT") return sentence("The faults know GET, PUT and DELETE.", 405)
  const read = yield* Effect.result(Effect.flatMap(request.text, decodeFaultSet))
  if (Result.isFailure(read)) return sentence(`The body is no set of faults. ${read.failure.message}`, 400)
  const stranger = read.success.faults.find(
    ({ product }) => product !== undefined && markets.get(product) === undefined
  )
  if (stranger !== undefined)
    return sentence(`A fault names the product "${stranger.product}", which is not listed.`, 400)
  board.set(read.success, (yield* Clock.currentTimeMillis) * 1000)
  return json(board.state)
})

const toJournal = (listing: Listing, parameters: URLSearchParams): RestResponse => {
  const { first, last } = listing.journal
  const from = parameters.get("from") ?? `${first}`
  const limit = parameters.get("limit") ?? "1000"
  if (!/^\d{1,15}$/.test(from) || !/^\d{1,15}$/.test(limit) || Number(limit) > maxPage || Number(limit) < 1) {
    return sentence(`"from" must be a trade id and "limit" an integer from 1 to ${maxPage}.`, 400)
  }
  const trades = listing.journal.from(Number(from), Number(limit))
  return json({
    product: listing.product.id,
    first,
    last,
    trades: trades.map((trade) => journalTrade(listing.product, trade))
  })
}

const readStatus = Effect.fnUntraced(function* (options: ControlOptions): Effect.fn.Return<RestResponse> {
  const now = yield* Clock.currentTimeMillis
  const { board, counters, markets } = options
  return json({
    time: isoMicros(now * 1000),
    halted: options.halted() ?? null,
    faults: board.state.faults.length,
    counters,
    products: [...markets.all].map(productStatus)
  })
})

const productStatus = ({ journal: tape, market, product }: Listing) => {
  const price = (ticks: number | undefined) =>
    ticks === undefined ? null : FixedPoint.format(ticks, product.priceDecimals)
  return {
    id: product.id,
    first_trade_id: tape.first,
    last_trade_id: tape.last,
    sequence: market.sequence,
    bid: price(market.best("buy")),
    ask: price(market.best("sell"))
  }
}
