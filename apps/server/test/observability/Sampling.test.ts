import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Tracer } from "effect"
import type { Sampler } from "../../src/observability/Sampling.ts"
import { makeSamplingTracer } from "../../src/observability/Sampling.ts"

const count = 4000

/** Evenly spread over the whole range. */
const traceIds = Array.from({ length: count }, (_, at) => {
  const place = (BigInt(at) * 2n ** 56n) / BigInt(count)
  return `4bf92f3577b34da6a3${place.toString(16).padStart(14, "0")}`
})

/**
 * For traces that begin here, or elsewhere, sampled there or not: whether they are recorded here with all of their
 * spans.
 */
const recorded = (sampler: Sampler, ratio: number, parents: ReadonlyArray<Tracer.ExternalSpan | undefined>) =>
  Effect.gen(function* () {
    let turn = 0
    const tracer = makeSamplingTracer(Tracer.make({ span: (options) => new Tracer.NativeSpan(options) }), {
      sampler,
      ratio,
      random: () => (turn++ % 1000) / 1000
    })
    const spans = yield* Effect.forEach(parents, (parent) =>
      Effect.gen(function* () {
        const root = yield* Effect.currentSpan
        const child = yield* Effect.withSpan(Effect.currentSpan, "child")
        assert.strictEqual(child.sampled, root.sampled)
        assert.strictEqual(child.traceId, root.traceId)
        return root.sampled
      }).pipe(Effect.withSpan("root", parent === undefined ? { root: true } : { parent }))
    ).pipe(Effect.provideService(Tracer.Tracer, tracer))
    return spans.filter((one) => one).length / parents.length
  })

const here = traceIds.map(() => undefined)
const elsewhere = (isSampled: boolean) =>
  traceIds.map((traceId) => Tracer.externalSpan({ traceId, spanId: "00f067aa0ba902b7", sampled: isSampled }))

describe("which traces are recorded", () => {
  it.effect.each<[Sampler, number, number, number, number]>([
    ["always_on", 0, 1, 1, 1],
    ["always_off", 1, 0, 0, 0],
    ["parentbased_always_on", 0, 1, 1, 0],
    ["parentbased_always_off", 1, 0, 1, 0],
    ["parentbased_traceidratio", 0.1, 0.1, 1, 0],
    ["parentbased_traceidratio", 1, 1, 1, 0],
    ["traceidratio", 0, 0, 0, 0]
  ])(
    "%s of %d: %d of those that begin here, %d of those recorded elsewhere, %d of the others",
    ([sampler, ratio, ofHere, ofRecorded, ofOthers]) =>
      Effect.gen(function* () {
        assert.strictEqual(yield* recorded(sampler, ratio, here), ofHere)
        assert.strictEqual(yield* recorded(sampler, ratio, elsewhere(true)), ofRecorded)
        assert.strictEqual(yield* recorded(sampler, ratio, elsewhere(false)), ofOthers)
      })
  )

  it.effect("is the same for the same trace, from any caller", () =>
    Effect.gen(function* () {
      const [ofRecorded, ofOthers] = [
        yield* recorded("traceidratio", 0.25, elsewhere(true)),
        yield* recorded("traceidratio", 0.25, elsewhere(false))
      ]
      assert.strictEqual(ofRecorded, ofOthers)
      assert.strictEqual(ofRecorded, 0.25)
    })
  )

  it.effect("does not change what a span is", () =>
    Effect.gen(function* () {
      const inner = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
      const tracer = makeSamplingTracer(inner, { sampler: "always_off", ratio: 1, random: () => 0 })
      const span = yield* Effect.withSpan(Effect.currentSpan, "one", { kind: "server", attributes: { a: 1 } }).pipe(
        Effect.provideService(Tracer.Tracer, tracer)
      )
      assert.deepStrictEqual([span.name, span.kind, Option.isNone(span.parent)], ["one", "server", true])
      assert.strictEqual(span.attributes.get("a"), 1)
    })
  )
})
