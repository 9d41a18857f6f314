import { Option, Tracer } from "effect"

/** Which traces are recorded, by the names of the OpenTelemetry specification. */
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
 * The last seven bytes of a trace's id as a share of all there are: of a trace that began elsewhere, whoever asks finds the
 * same.
 */
const placeOf = (traceId: string): number => Number.parseInt(traceId.slice(-14), 16) / 2 ** 56

/**
 * A tracer that records the traces that the sampler chooses, each with all of its spans. `ratio` is the share of those that
 * begin here, `random` gives numbers in [0, 1).
 */
export const sampled = (
  tracer: Tracer.Tracer,
  { random, ratio, sampler }: { readonly sampler: Sampler; readonly ratio: number; readonly random: () => number }
): Tracer.Tracer => {
  const kind = sampler.replace(byParent, "")
  const chosen = (traceId: string | undefined): boolean => {
    if (kind === "traceidratio") return (traceId === undefined ? random() : placeOf(traceId)) < ratio
    return kind === "always_on"
  }
  return Tracer.make({
    ...tracer,
    span: (options) => {
      const parent = Option.getOrUndefined(options.parent)
      // What belongs to a span of this process is recorded where that is.
      if (parent?._tag === "Span") return tracer.span(options)
      if (parent !== undefined && sampler.startsWith(byParent)) return tracer.span(options)
      // A span that is not wanted by itself is not, whatever the sampler says.
      const isWanted = parent !== undefined || options.sampled
      return tracer.span({ ...options, sampled: isWanted && chosen(parent?.traceId) })
    }
  })
}
