import { assert, describe, it } from "@effect/vitest"
import * as Timing from "../../src/ownership/Timing.ts"

describe("the times of ownership", () => {
  it("consider no instance gone because of one heartbeat that fails", () => {
    assert.isAbove(Timing.leaseDurationMs, Timing.heartbeatIntervalMs + Timing.heartbeatTimeoutMs)
    assert.isAtLeast(Timing.judgmentDelayMs, 2 * Timing.heartbeatIntervalMs)
    assert.isAtLeast(Timing.maxOwnSilenceMs, Timing.heartbeatIntervalMs + Timing.heartbeatTimeoutMs)
    assert.isAtMost(Timing.maxOwnSilenceMs, Timing.leaseDurationMs - Timing.heartbeatIntervalMs)
  })

  it("let all instances agree on the owner before one retakes a lease", () => {
    const agreementMs = Timing.judgmentDelayMs + Timing.assignmentIntervalMs + Timing.joinDelayMs
    assert.isAtLeast(Timing.pauseAfterLossMs, agreementMs)
  })

  it("hide no owner because of one slow read of its status", () => {
    assert.isAbove(Timing.ownerTimeoutMs, Timing.publishIntervalMs + Timing.sharedReadMs + Timing.readTimeoutMs)
  })

  it("free the lock of a paused write before its instance counts as gone for longer than a heartbeat", () => {
    assert.isAtMost(Timing.maxIdleWriteMs, Timing.leaseDurationMs)
  })
})
