import { Client } from "@chaintape/core"
import type { ClientOptions } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/cex"
import { Clock, Effect, Redacted } from "effect"
import { key } from "../RunningService.ts"

/** All at once on a new client, each a separate request, for an exchange that does not exist. */
export const callAll = Effect.fnUntraced(function* (origin: string, count: number, retry: ClientOptions["retry"]) {
  const client = yield* Client.pipe(
    Effect.provide(Client.layer({ baseUrl: origin, apiKey: Redacted.make(key), retry }))
  )
  const begin = yield* Clock.currentTimeMillis
  const tags = yield* Effect.all(
    Array.from({ length: count }, (_, index) =>
      Effect.match(client.call(Operations.exchange, { exchange: `none-${index}` }), {
        onFailure: ({ _tag }) => _tag,
        onSuccess: () => "good"
      })
    ),
    { concurrency: "unbounded" }
  )
  return { tags: [...new Set(tags)], took: (yield* Clock.currentTimeMillis) - begin }
})
