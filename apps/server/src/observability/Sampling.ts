import { Option, Tracer } from "effect"

/** The samplers, by their names in the OpenTelemetry specification. */
export const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio"
] as const

export type Sampler = (typeof samplers)[number]

const byParent = "parentbased_"

/**
 * The last seven bytes of a trace id as a fraction of their range: every service decides alike about a trace that began
 * elsewhere.
 */
const toFraction = (traceId: string): number => Number.parseInt(traceId.slice(-14), 16) / 2 ** 56

/**
 * A tracer that records the sampled traces, each with all of its spans. `ratio` is the fraction of the traces that
 * begin here, `random` returns numbers in [0, 1).
 */
export const makeSamplingTracer = (
  tracer: Tracer.Tracer,
  { random, ratio, sampler }: { readonly sampler: Sampler; readonly ratio: number; readonly random: () => number }
): Tracer.Tracer => {
  const kind = sampler.replace(byParent, "")
  const chosen = (traceId: string | undefined): boolean => {
    if (kind === "traceidratio") return (traceId === undefined ? random() : toFraction(traceId)) < ratio
    return kind === "always_on"
  }
  return Tracer.make({
    ...tracer,
    span: (options) => {
      const parent = Option.getOrUndefined(options.parent)
      // A child of a span of this process is recorded if its parent is.
      if (parent?._tag === "Span") return tracer.span(options)
      if (parent !== undefined && sampler.startsWith(byParent)) return tracer.span(options)
      // A span that is disabled is not recorded, whatever the sampler decides.
      const isWanted = parent !== undefined || options.sampled
      return tracer.span({ ...options, sampled: isWanted && chosen(parent?.traceId) })
    }
  })
}
