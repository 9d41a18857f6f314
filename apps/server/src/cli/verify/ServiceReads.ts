import { type AsOf, PoolAddress, TokenAddress } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/dex"
import { DateTime, Effect, Option, Schema } from "effect"
import type { AccessKey } from "../service/AccessKey.ts"
import { toReadErrorText, unreadable } from "../service/ReadErrorText.ts"
import type { ReadError } from "../service/ReadErrorText.ts"
import type { ServiceClient } from "../service/ServiceClient.ts"
import { toFailure } from "../terminal/CommandError.ts"
import type { CommandError } from "../terminal/CommandError.ts"
import { pageSize } from "./DeploymentReads.ts"
import type { DeploymentReads, Rows } from "./DeploymentReads.ts"

const Row = Schema.Record(Schema.String, Schema.Unknown)
const decodeRows = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Array(Row)))
const Trades = Schema.Struct({ swaps: Schema.Array(Row), mints: Schema.Array(Row), burns: Schema.Array(Row) })
const decodeTrades = Schema.decodeUnknownEffect(Schema.fromJsonString(Trades))

export interface Deployment {
  readonly exchange: string
  readonly blockchain: string
}

export interface ServiceReads extends DeploymentReads {
  /** The block of the newest state, or of the state as of a block. Fails soon if the service is unreachable. */
  readonly asOf: (block: number | undefined) => Effect.Effect<AsOf, CommandError>
}

/** The responses of a service, with its digits. */
export const makeServiceReads = (
  { body, fewRetries, manyRetries }: ServiceClient,
  deployment: Deployment,
  url: URL,
  key: Option.Option<AccessKey>
): ServiceReads => {
  const withFailureText = Effect.mapError((error: ReadError) => toFailure(toReadErrorText(error, url, key)))
  /** The client checks the response; the rows are taken from its text. */
  const read = (call: Effect.Effect<unknown, ReadError>): Effect.Effect<Rows, CommandError> =>
    call.pipe(
      withFailureText,
      Effect.andThen(body),
      Effect.flatMap(decodeRows),
      Effect.catchTag("SchemaError", () => unreadable(url))
    )
  const byId = { limit: pageSize, orderBy: "id", orderDirection: "asc" } as const

  return {
    asOf: Effect.fnUntraced(function* (block) {
      const { asOf } = yield* withFailureText(fewRetries.call(Operations.deployments, { ...deployment, block }))
      if (Option.isSome(asOf)) return asOf.value
      return yield* toFailure(`${url.origin} does not say as of which block its state is.`)
    }),
    totals: (block) => read(manyRetries.call(Operations.deployments, { ...deployment, block })),
    tokens: (block, skip, id) => {
      const tokenId = id === undefined ? undefined : TokenAddress.make(id)
      return read(manyRetries.call(Operations.tokens, { ...deployment, ...byId, block, skip, tokenId }))
    },
    pools: (block, skip, id) => {
      const pool = id === undefined ? undefined : PoolAddress.make(id)
      return read(manyRetries.call(Operations.pools, { ...deployment, ...byId, block, skip, pool }))
    },
    trades: (block, pool, { from, to }, skip) =>
      manyRetries
        .call(Operations.poolTrades, {
          ...deployment,
          pool: PoolAddress.make(pool),
          block,
          skip,
          limit: pageSize,
          from: DateTime.makeUnsafe(from * 1000),
          to: DateTime.makeUnsafe(to * 1000)
        })
        .pipe(
          withFailureText,
          Effect.andThen(body),
          Effect.flatMap(decodeTrades),
          Effect.map(({ burns, mints, swaps }) => [swaps, mints, burns]),
          Effect.catchTag("SchemaError", () => unreadable(url))
        )
  }
}
