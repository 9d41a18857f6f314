import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { SqlError } from "effect/sql"
import { getContext } from "../../src/http/request/RequestContext.ts"
import { toResponse } from "../../src/http/response/Problems.ts"

const request = HttpServerRequest.fromWeb(new Request("http://service/v2/cex/exchanges"))
const toStatus = (defect: unknown) =>
  Effect.map(toResponse(Cause.die(defect), request, getContext(request)), ({ status }) => status)

const failure = (reason: SqlError.SqlErrorReason) => new SqlError.SqlError({ reason })
const unknown = (code: string) =>
  failure(new SqlError.UnknownError({ cause: { code }, message: "", operation: "query" }))

describe("a request whose statement fails", () => {
  it.effect("receives a time to retry if the store is unavailable, and a defect otherwise", () =>
    Effect.gen(function* () {
      const refused = new SqlError.ConnectionError({
        cause: { code: "ECONNREFUSED" },
        message: "",
        operation: "connect"
      })
      assert.strictEqual(yield* toStatus(failure(refused)), 503)
      // Ended by an administrator, ended by a crash, still starting, disk full.
      for (const state of ["57P01", "57P02", "57P03", "53100"]) {
        assert.strictEqual(yield* toStatus(unknown(state)), 503, state)
      }
      assert.strictEqual(yield* toStatus(unknown("22003")), 500)
      const syntax = new SqlError.SqlSyntaxError({ cause: { code: "42601" }, message: "", operation: "query" })
      assert.strictEqual(yield* toStatus(failure(syntax)), 500)
      assert.strictEqual(yield* toStatus(new Error("a mistake")), 500)
    })
  )
})
