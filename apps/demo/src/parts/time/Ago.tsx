import { Time } from "./Time.tsx"

const units = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"]
] as const

/** A span in its largest unit, such as `5 min`. */
export const formatSpan = (millis: number): string => {
  const [length, unit] = units.find(([one]) => millis >= one) ?? [1000, "s"]
  return `${Math.max(0, Math.floor(millis / length))} ${unit}`
}

/** How long ago a time was; the time itself on hover. */
export const Ago = ({ millis, now }: { readonly millis: number; readonly now: number }) => (
  <Time millis={millis}>{`${formatSpan(now - millis)} ago`}</Time>
)
