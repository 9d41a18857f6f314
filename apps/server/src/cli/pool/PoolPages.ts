import type { Answer, PoolAddress, Timeframe } from "@chaintape/core"
import * as DexOperations from "@chaintape/core/operations/dex"
import { DateTime, Effect, Layer, Option, Predicate, Schema } from "effect"
import type { Subject } from "../download/DownloadRequest.ts"
import { Pages } from "../download/Pages.ts"
import type { Row } from "../download/Row.ts"
import { toRow } from "../download/Row.ts"
import type { AccessKey } from "../service/AccessKey.ts"
import { toReadErrorText, unreadable } from "../service/ReadErrorText.ts"
import type { ReadError } from "../service/ReadErrorText.ts"
import { createClient } from "../service/ServiceClient.ts"
import { toFailure } from "../terminal/CommandError.ts"

export const tradeKinds = ["swap", "mint", "burn"] as const

export interface PoolRows {
  readonly exchange: string
  readonly blockchain: string
  readonly pool: PoolAddress
  /** One kind of trades, or the candles of a timeframe. */
  readonly rows: (typeof tradeKinds)[number] | Timeframe
}

const isKind = (rows: PoolRows["rows"]): rows is (typeof tradeKinds)[number] => tradeKinds.some((kind) => kind === rows)

const Elements = Schema.Array(Schema.Record(Schema.String, Schema.Unknown))
const decodeBody = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
const decodeElements = Schema.decodeUnknownOption(Elements)

/** The rows in the text of a response, in which every number is text. */
const toRows = ({ shape }: Subject, body: string): ReadonlyArray<Row> | undefined => {
  const elements = Option.flatMap(decodeBody(body), (found) => decodeElements(found[shape.list]))
  const rows = Option.getOrElse(elements, () => [{}]).map((element: Readonly<Record<string, unknown>>) =>
    toRow(shape, JSON.stringify(element), (member) => {
      const value = element[member]
      return Predicate.isString(value) ? value : undefined
    })
  )
  const known = rows.filter(Predicate.isNotUndefined)
  return known.length === rows.length ? known : undefined
}

/** The trades or the candles of a pool as of one block, with the digits of the service's responses. */
export const poolPages =
  ({ rows: wanted, ...ofPool }: PoolRows, subject: Subject) =>
  (url: URL, key: Option.Option<AccessKey>) =>
    Layer.effect(
      Pages,
      Effect.gen(function* () {
        const service = yield* createClient(url, key)
        const { call } = service.manyRetries
        const withFailureText = Effect.mapError((error: ReadError) => toFailure(toReadErrorText(error, url, key)))

        return Pages.of({
          check: service.fewRetries.call(DexOperations.pool, ofPool).pipe(withFailureText, Effect.asVoid),
          read: Effect.fn("PoolPages.read")(function* ({ block: pinned, limit, since, until }) {
            const page = {
              ...ofPool,
              limit,
              block: Option.getOrUndefined(pinned),
              from: Option.getOrUndefined(Option.map(since, DateTime.makeUnsafe)),
              to: DateTime.makeUnsafe(until)
            }
            const orderDirection = Option.isSome(since) ? "asc" : "desc"
            const answer: Answer<unknown> = isKind(wanted)
              ? yield* call(DexOperations.poolTrades, {
                  ...page,
                  swap: wanted === "swap",
                  mint: wanted === "mint",
                  burn: wanted === "burn",
                  orderBy: "timestamp",
                  orderDirection
                }).pipe(withFailureText)
              : yield* call(DexOperations.candles, { ...page, timeframe: wanted }).pipe(withFailureText)
            const rows = toRows(subject, yield* service.body)
            if (rows === undefined) return yield* unreadable(url)
            if (Option.isNone(answer.asOf)) {
              return yield* toFailure(`${url.origin} does not say as of which block its answer is.`)
            }
            const { finalized, hash, number, proven } = answer.asOf.value
            return {
              rows: isKind(wanted) && orderDirection === "desc" ? rows.toReversed() : rows,
              state: proven ? "complete" : "unverifiable",
              from: Option.none(),
              to: Option.none(),
              gaps: [],
              block: Option.some({ number: Number(number), hash, isFinal: finalized })
            }
          })
        })
      })
    )
