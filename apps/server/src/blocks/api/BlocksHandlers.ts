import { Api } from "@chaintape/contract"
import { Blockchain } from "@chaintape/core"
import { Effect, Option } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { dataHeaders } from "../../internal/handler/DataHeaders.ts"
import { handlerGroup } from "../../internal/handler/RequestServices.ts"
import { toMillis } from "../../internal/handler/toMillis.ts"
import { Blockchains } from "../Blockchains.ts"
import { Blocks } from "../read/Blocks.ts"
import { toBlock } from "../ToBlock.ts"

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
            from: toMillis(query.from),
            to: toMillis(query.to)
          })
          const { asOf, isImmutable } = result
          const headers = dataHeaders({ sources: ["rpc"], asOf, isImmutable })
          yield* HttpEffect.appendPreResponseHandler((_request, response) =>
            Effect.succeed(HttpServerResponse.setHeaders(response, headers))
          )
          return result.blocks.map(toBlock)
        })
      })
    )
  })
)
