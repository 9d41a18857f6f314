import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { SlowReaders } from "../../../src/http/socket/SlowReaders.ts"

describe("the reader of an answer", () => {
  it.effect("is not cut off while the service has nothing more for him yet", () =>
    Effect.gen(function* () {
      const { watch } = yield* SlowReaders
      const socket = new Socket()
      const response = new ServerResponse(new IncomingMessage(socket))
      response.assignSocket(socket)
      response.writeHead(200)
      watch(response)
      yield* TestClock.adjust("1 minute")
      assert.isFalse(response.destroyed)
    }).pipe(Effect.provide(SlowReaders.layer()))
  )
})
