import { groupDigits } from "../../internal/groupDigits.ts"

/** The state that a progress line shows. Positions are Unix milliseconds, or numbers of blocks. */
export interface ProgressView {
  readonly since: number
  readonly until: number
  /** That of the newest row. */
  readonly position: number
  readonly rows: number
  /** The name of what `rows` counts. */
  readonly unit: string
  /** The start of this run, from which its speed is computed. */
  readonly begun: { readonly at: number; readonly position: number; readonly rows: number }
  /** Why no rows arrive at the moment; empty if they do. */
  readonly waiting: string
}

const makeClock = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000)
  const two = (value: number) => String(value).padStart(2, "0")
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

const getShare = ({ position, since, until }: ProgressView): number =>
  until <= since ? 0 : Math.min(1, Math.max(0, (position - since) / (until - since)))

/** The remaining time at the speed of this run so far; unknown before its first page. */
export const estimateRemainingMs = ({ begun, position, until }: ProgressView, now: number): number | undefined =>
  position <= begun.position || now <= begun.at
    ? undefined
    : ((now - begun.at) * Math.max(0, until - position)) / (position - begun.position)

const getText = (view: ProgressView, now: number): string => {
  const elapsed = now - view.begun.at
  const speed = elapsed <= 0 ? 0 : ((view.rows - view.begun.rows) * 1000) / elapsed
  const left = estimateRemainingMs(view, now)
  return [
    `${(getShare(view) * 100).toFixed(1)} %`,
    `${groupDigits(view.rows)} ${view.unit}`,
    `${groupDigits(speed)} ${view.unit}/s`,
    left === undefined ? "time left unknown" : `${makeClock(left)} left`,
    ...(view.waiting === "" ? [] : [view.waiting])
  ].join("  ")
}

/** One line for a log. */
export const plainLine = getText

const barWidth = 24

/** One line for a terminal of this width; without the bar if it is too narrow. */
export const barLine = (view: ProgressView, now: number, columns: number): string => {
  const text = getText(view, now)
  const done = Math.floor(getShare(view) * barWidth)
  const line = `[${"#".repeat(done)}${"-".repeat(barWidth - done)}] ${text}`
  return (line.length < columns ? line : text).slice(0, Math.max(0, columns - 1))
}
