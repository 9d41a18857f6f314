import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { SqlError } from "effect/sql"
import { answerOf } from "../../src/http/Problems.ts"

const request = HttpServerRequest.fromWeb(new Request("http://service/v2/cex/exchanges"))
const statusOf = (defect: unknown) =>
  Effect.map(
    answerOf(Cause.die(defect), request, () => false),
    ({ status }) => status
  )

const failure = (reason: SqlError.SqlErrorReason) => new SqlError.SqlError({ reason })
const unknown = (code: string) =>
  failure(new SqlError.UnknownError({ cause: { code }, message: "", operation: "query" }))

describe("a request whose statement fails", () => {
  it.effect("is told to come again where the store is away, and of a defect where it is one", () =>
    Effect.gen(function* () {
      const refused = new SqlError.ConnectionError({
        cause: { code: "ECONNREFUSED" },
        message: "",
        operation: "connect"
      })
      assert.strictEqual(yield* statusOf(failure(refused)), 503)
      // Ended by an administrator, ended by a crash, still starting, disk full.
      for (const state of ["57P01", "57P02", "57P03", "53100"]) {
        assert.strictEqual(yield* statusOf(unknown(state)), 503, state)
      }
      assert.strictEqual(yield* statusOf(unknown("22003")), 500)
      const syntax = new SqlError.SqlSyntaxError({ cause: { code: "42601" }, message: "", operation: "query" })
      assert.strictEqual(yield* statusOf(failure(syntax)), 500)
      assert.strictEqual(yield* statusOf(new Error("a mistake")), 500)
    })
  )
})
