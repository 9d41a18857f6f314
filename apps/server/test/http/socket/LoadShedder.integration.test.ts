import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { LoadShedder } from "../../../src/http/socket/LoadShedder.ts"

const capacity = { waiting: 100, stretchMs: 20, atLeast: 4, timeoutMs: 60_000 }

/** Works for this long, in the thread's own CPU time. */
const work = (milliseconds: number) => {
  const spent = () => {
    const { system, user } = process.threadCpuUsage()
    return (system + user) / 1000
  }
  const begun = spent()
  while (spent() - begun < milliseconds) continue
}

/** Sends this many requests at once, and returns whether one of them was rejected. */
const isRefused = ({ refusalReason }: LoadShedder["Service"], requests: number) =>
  Array.from({ length: requests }, refusalReason).some((found) => found !== undefined)

describe("admission", () => {
  it.live("refuses while the thread works too long, also after a time without a request", () =>
    Effect.gen(function* () {
      const admission = Context.get(yield* Layer.build(LoadShedder.layer(capacity)), LoadShedder)
      for (let turn = 0; turn < 3; turn++) {
        assert.isFalse(isRefused(admission, 20))
        work(40)
        assert.isTrue(isRefused(admission, 20))
        // It has processed everything that is due.
        yield* Effect.sleep("50 millis")
        assert.isFalse(isRefused(admission, 20))
        // Long enough that measuring stops until the next request.
        yield* Effect.sleep("1300 millis")
      }
    }).pipe(Effect.scoped)
  )
})
