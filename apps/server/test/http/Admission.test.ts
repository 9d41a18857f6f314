import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Admission } from "../../src/http/Admission.ts"

const capacity = { waiting: 100, stretchMs: 20, atLeast: 4, patienceMs: 60_000 }

/** Works so long, in the thread's own time. */
const work = (milliseconds: number) => {
  const spent = () => {
    const { system, user } = process.threadCpuUsage()
    return (system + user) / 1000
  }
  const begun = spent()
  while (spent() - begun < milliseconds) continue
}

/** So many requests at once: whether one of them was refused. */
const isRefused = ({ obstacle }: Admission["Service"], requests: number) =>
  Array.from({ length: requests }, obstacle).some((found) => found !== undefined)

describe("admission", () => {
  it.live("refuses while the thread works too long, also after a time without a request", () =>
    Effect.gen(function* () {
      const admission = Context.get(yield* Layer.build(Admission.layer(capacity)), Admission)
      for (let turn = 0; turn < 3; turn++) {
        assert.isFalse(isRefused(admission, 20))
        work(40)
        assert.isTrue(isRefused(admission, 20))
        // It has looked at everything that is due.
        yield* Effect.sleep("50 millis")
        assert.isFalse(isRefused(admission, 20))
        // So long that nobody looks any more until the next request.
        yield* Effect.sleep("1300 millis")
      }
    }).pipe(Effect.scoped)
  )
})
