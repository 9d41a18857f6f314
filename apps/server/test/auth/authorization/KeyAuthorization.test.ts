import { Authorization } from "@chaintape/contract"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Schema } from "effect"
import { HttpServer } from "effect/http"
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpApiTest } from "effect/http-api"
import { TestClock } from "effect/testing"
import { layer as keyAuthorization } from "../../../src/auth/authorization/KeyAuthorization.ts"
import { CallerAddress } from "../../../src/auth/CallerAddress.ts"
import { ApiKeys } from "../../../src/auth/keys/ApiKeys.ts"
import { Admissions } from "../../../src/auth/limits/Admissions.ts"
import { UnauthenticatedRequests } from "../../../src/auth/limits/UnauthenticatedRequests.ts"

const suspect = "192.0.2.1"
const other = "192.0.2.2"

/** A store that knows one key, and is silent about all others. */
const makeKeys = () => {
  const asked: Array<string> = []
  const verify = (key: string) =>
    Effect.suspend(() => {
      asked.push(key)
      return key === "good" ? Effect.succeedSome({ id: "one", scopes: undefined, plan: undefined }) : Effect.never
    })
  return { asked, layer: Layer.mock(ApiKeys, { verify, recall: () => undefined }) }
}

const addresses = Layer.succeed(CallerAddress, { of: ({ headers }) => headers["from"] ?? "", behind: () => "" })

const unauthenticated = Layer.mock(UnauthenticatedRequests, {
  charge: () => Effect.succeedNone,
  isSuspect: (address) => Effect.succeed(address === suspect)
})

const admissions = Layer.mock(Admissions, { tryAdmit: () => ({ _tag: "Sync", admission: undefined }) })

const api = HttpApi.make("test").add(
  HttpApiGroup.make("group", { topLevel: true })
    .add(HttpApiEndpoint.get("read", "/", { headers: { "api-key": Schema.String, from: Schema.String } }))
    .middleware(Authorization)
)

const handlers = HttpApiBuilder.group(api, "group", (group) => group.handle("read", () => Effect.void))

const answer = Effect.fnUntraced(function* (from: string, key: string) {
  const { read } = yield* HttpApiTest.groups(api, ["group"])
  return yield* read({ headers: { "api-key": key, from } }).pipe(
    Effect.as("good"),
    Effect.catchTag("NotReady", ({ code }) => Effect.succeed(code))
  )
}, Effect.scoped)

describe("the keys of addresses that sent many wrong ones", () => {
  it.effect("are looked up two at a time, for at most two seconds, and delay no other address", () => {
    const { asked, layer } = makeKeys()
    return Effect.gen(function* () {
      const suspects = yield* Effect.forEach(["a", "b", "c"], (key) => Effect.forkChild(answer(suspect, key)))
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(asked, ["a", "b"])
      assert.strictEqual(yield* answer(other, "good"), "good")
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(yield* Fiber.joinAll(suspects), ["not-ready", "not-ready", "not-ready"])
      assert.strictEqual(yield* answer(suspect, "good"), "good")
    }).pipe(
      Effect.provide(
        handlers.pipe(
          Layer.provideMerge(Layer.merge(keyAuthorization, HttpServer.layerServices)),
          Layer.provide([layer, addresses, admissions, unauthenticated])
        )
      )
    )
  })
})
