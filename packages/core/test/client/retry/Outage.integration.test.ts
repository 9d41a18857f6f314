import { createServer, type Server } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Operations from "../../../src/api/BlocksOperations.ts"
import { Client } from "../../../src/client/Client.ts"

/** A service that responds with `[]`, on a new port or on its previous one. */
const start = (port = 0) =>
  Effect.promise(async () => {
    const server = createServer((_, response) => response.setHeader("content-type", "application/json").end("[]"))
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve))
    return server
  })

const stop = (server: Server) =>
  Effect.promise(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

const portOf = (server: Server) => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

describe("a service that goes away and comes back", () => {
  it.live("receives one request of each call and the budget of retries, and serves all callers when it is back", () =>
    Effect.gen(function* () {
      const callers = 50
      const first = yield* start()
      const port = portOf(first)
      const client = yield* Client.pipe(
        Effect.provide(
          Client.layer({
            baseUrl: `http://127.0.0.1:${port}`,
            retry: { firstDelay: Duration.millis(20) }
          })
        )
      )
      const lives = Array.from({ length: callers }, (): Array<string> => [])
      const fiber = yield* Effect.forkChild(
        Effect.forEach(
          lives,
          (tags, caller) =>
            Effect.forever(
              client.call(Operations.blocks, { blockchain: String(caller) }).pipe(
                Effect.match({ onFailure: ({ _tag }) => _tag, onSuccess: () => "good" }),
                Effect.flatMap((tag) => Effect.sync(() => tags.push(tag))),
                Effect.andThen(Effect.sleep("20 millis"))
              )
            ),
          { concurrency: "unbounded" }
        )
      )
      const untilAll = (holds: (tags: ReadonlyArray<string>) => boolean) =>
        Effect.gen(function* () {
          while (!lives.every(holds)) yield* Effect.sleep("10 millis")
        })
      yield* untilAll((tags) => tags.includes("good"))
      yield* stop(first)
      yield* untilAll((tags) => tags.filter((tag) => tag === "TransportError").length > 5)
      const second = yield* start(port)
      yield* untilAll((tags) => tags.at(-1) === "good")
      yield* Fiber.interrupt(fiber)
      yield* stop(second)
      const tags = lives.flat()
      assert.sameMembers([...new Set(tags)], ["good", "TransportError"])
    })
  )
})
