import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { CallerAddress } from "../../../src/auth/CallerAddress.ts"
import { FormSlots, readOwnForm } from "../../../src/web/forms/FormBody.ts"

const addresses = Layer.succeed(CallerAddress, { of: () => "127.0.0.1", behind: () => "127.0.0.1" })

/** Reads a form whose body is `begin`, and fails then if it is `cut`. */
const readForm = (begin: string, isCut: boolean) => {
  const body = new ReadableStream({
    start: (controller) => {
      controller.enqueue(new TextEncoder().encode(begin))
      if (isCut) controller.error(new Error("aborted"))
      else controller.close()
    }
  })
  const request = new Request("http://service/sign-in", {
    method: "POST",
    headers: { host: "service", origin: "http://service", "content-type": "application/x-www-form-urlencoded" },
    body,
    duplex: "half"
  })
  return Effect.flip(readOwnForm("secret")).pipe(
    Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(request)),
    Effect.provide(Layer.merge(addresses, FormSlots.layer))
  )
}

describe("a form", () => {
  it.effect("is too large only if more than 16 kB of it arrive", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* readForm("x".repeat(16 * 1024 + 1), false)).status, 413)
      const { message, status } = yield* readForm("token=", true)
      assert.deepStrictEqual([status, message], [400, "The form did not arrive completely: send it again."])
    })
  )
})
