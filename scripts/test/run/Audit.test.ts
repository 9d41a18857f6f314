import { assert, describe, it } from "vitest"
import { judgeAudit } from "../../run/Audit.ts"

describe("the audit of the dependencies", () => {
  it("passes where there is no advisory", () => {
    assert.deepStrictEqual(judgeAudit({ code: 0, output: "No known vulnerabilities found\n" }), { passed: true })
  })

  it("fails with the report where there is one", () => {
    const output = "│ high │ Prototype pollution │\n1 vulnerabilities found\n"
    assert.deepStrictEqual(judgeAudit({ code: 1, output }), { passed: false, output })
  })

  it("is skipped, with the reason, where the registry has no such answer", () => {
    const output = "ERR_PNPM_AUDIT_BAD_RESPONSE  The audit endpoint (at https://registry.example/) responded with 405:"
    assert.deepStrictEqual(judgeAudit({ code: 1, output }), {
      passed: true,
      skipped: "the registry answers 405 to the question for advisories"
    })
    assert.deepStrictEqual(judgeAudit({ code: 1, output: "request failed, reason: getaddrinfo ENOTFOUND" }), {
      passed: true,
      skipped: "the registry cannot be asked for advisories"
    })
  })
})
