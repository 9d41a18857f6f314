import { assert, describe, it } from "vitest"
import { judgeSkip } from "../Skips.ts"

const skip = (test: string, note = "") => ({ test, note })
const database = "postgres://localhost/test"

describe("a skipped test", () => {
  it("is justified by a variable that it needs and that is not set, on CI too", () => {
    for (const env of [{}, { CI: "true" }, { CI: "true", DATABASE_URL: "" }]) {
      assert.deepInclude(judgeSkip(skip("store > on Postgres > keeps rows"), env), {
        reason: "DATABASE_URL is not set",
        unjustified: false
      })
    }
  })

  it("is not justified when that variable is set", () => {
    for (const env of [{ DATABASE_URL: database }, { CI: "true", DATABASE_URL: database }]) {
      assert.isTrue(judgeSkip(skip("store > on Postgres > keeps rows"), env).unjustified)
    }
  })

  it("says by its note what it needs", () => {
    assert.deepInclude(judgeSkip(skip("a page > is shown", "CHAINTAPE_CHROMIUM is not set"), { CI: "true" }), {
      reason: "CHAINTAPE_CHROMIUM is not set",
      unjustified: false
    })
    assert.isTrue(judgeSkip(skip("limits", "needs Redis"), { REDIS_URL: "redis://localhost" }).unjustified)
  })

  it("needs a reason on CI only", () => {
    assert.isFalse(judgeSkip(skip("anything", "not on this platform"), {}).unjustified)
    assert.isTrue(judgeSkip(skip("anything", "not on this platform"), { CI: "true" }).unjustified)
    assert.isTrue(judgeSkip(skip("anything"), { CI: "1" }).unjustified)
  })
})
