/** The median; NaN without values. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

/** The growth per hour, by least squares. */
export const slopePerHour = (samples: ReadonlyArray<{ readonly seconds: number; readonly value: number }>): number => {
  const mean = (pick: (sample: (typeof samples)[number]) => number) =>
    samples.reduce((sum, sample) => sum + pick(sample), 0) / samples.length
  const middle = mean(({ seconds }) => seconds)
  const level = mean(({ value }) => value)
  const spread = samples.reduce((sum, { seconds }) => sum + (seconds - middle) ** 2, 0)
  const rise = samples.reduce((sum, { seconds, value }) => sum + (seconds - middle) * (value - level), 0)
  return spread === 0 ? 0 : (rise / spread) * 3600
}
