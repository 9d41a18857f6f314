import { Api } from "@chaintape/contract"
import { Blockchain } from "@chaintape/core"
import { DateTime, Effect, Option } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { handlerGroup } from "../../internal/RequestServices.ts"
import { Blockchains } from "../Blockchains.ts"
import { Blocks } from "../read/Blocks.ts"
import type { BlocksResult } from "../read/Blocks.ts"
import { toBlock } from "../ToBlock.ts"

const millis = (time: DateTime.Utc | undefined) => Option.map(Option.fromUndefinedOr(time), DateTime.toEpochMillis)

const answerHeaders = ({ asOf, immutable }: BlocksResult) => ({
  "chaintape-source": "rpc",
  "chaintape-as-of": `number=${asOf.number}, hash="${asOf.hash}", finalized=?${asOf.finalized ? 1 : 0}`,
  ...(immutable ? { "cache-control": "private, max-age=31536000, immutable" } : {})
})

export const BlocksHandlers = handlerGroup(
  Effect.gen(function* () {
    const blockchains = yield* Blockchains
    const blocks = yield* Blocks
    return HttpApiBuilder.group(Api, "blocks", (handlers) =>
      handlers.handleAll({
        blockchains: () => Effect.succeed(blockchains.all.map(({ id, name }) => new Blockchain({ id, name }))),
        blocks: Effect.fnUntraced(function* ({ params, query }) {
          const field = query.orderBy
          const result = yield* blocks.list(params.blockchain, {
            limit: query.limit,
            skip: query.skip,
            order:
              field === undefined ? Option.none() : Option.some({ field, direction: query.orderDirection ?? "asc" }),
            block: Option.fromUndefinedOr(query.block),
            from: millis(query.from),
            to: millis(query.to)
          })
          yield* HttpEffect.appendPreResponseHandler((_request, response) =>
            Effect.succeed(HttpServerResponse.setHeaders(response, answerHeaders(result)))
          )
          return result.blocks.map(toBlock)
        })
      })
    )
  })
)
