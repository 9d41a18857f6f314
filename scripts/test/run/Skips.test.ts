import { assert, describe, it } from "vitest"
import { judgeSkip } from "../../run/Skips.ts"

const url = "postgres://localhost/test"

describe("a skipped test", () => {
  it("is justified by a variable that its name asks for and that is not set, on CI too", () => {
    for (const env of [{}, { CI: "true" }, { CI: "true", DATABASE_URL: "" }]) {
      assert.deepStrictEqual(judgeSkip("the tape in PostgreSQL keeps rows", env), {
        reason: "DATABASE_URL is not set",
        isUnjustified: false
      })
    }
  })

  it("is not justified when that variable is set", () => {
    for (const env of [{ DATABASE_URL: url }, { CI: "true", DATABASE_URL: url }])
      assert.isTrue(judgeSkip("the tape in PostgreSQL keeps rows", env).isUnjustified)
    assert.isTrue(judgeSkip("limits (REDIS_URL)", { REDIS_URL: "redis://localhost" }).isUnjustified)
  })

  it("is justified by what its name says that the machine lacks", () => {
    const env = { CI: "true", DATABASE_URL: url }
    for (const lacking of ["PostgreSQL and Redis are not installed", "root, ip netns, tc"]) {
      assert.deepStrictEqual(judgeSkip(`several instances (${lacking}) agree`, env), {
        reason: `this machine lacks it: ${lacking}`,
        isUnjustified: false
      })
    }
  })

  it("needs a reason on CI only", () => {
    assert.isFalse(judgeSkip("anything", {}).isUnjustified)
    assert.isFalse(judgeSkip("anything", { CI: "false" }).isUnjustified)
    assert.isTrue(judgeSkip("anything", { CI: "true" }).isUnjustified)
  })
})
