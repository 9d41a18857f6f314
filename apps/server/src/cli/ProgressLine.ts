/** What the person at the terminal is told while a download runs. Times are Unix milliseconds. */
export interface ProgressView {
  readonly since: number
  readonly until: number
  /** The time of the newest row. */
  readonly position: number
  readonly rows: number
  /** Where and when this run began: its speed counts from here. */
  readonly begun: { readonly at: number; readonly position: number; readonly rows: number }
  /** Why nothing comes at the moment; empty where it does. */
  readonly waiting: string
}

export const grouped = (count: number): string => String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ",")

const clockOf = (ms: number): string => {
  const seconds = Math.ceil(ms / 1000)
  const two = (value: number) => String(value).padStart(2, "0")
  return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}

const shareOf = ({ position, since, until }: ProgressView): number =>
  until <= since ? 0 : Math.min(1, Math.max(0, (position - since) / (until - since)))

/** The time that is left if the rest of the range goes as the part of this run went; unknown before its first page. */
export const remainingMs = ({ begun, position, until }: ProgressView, now: number): number | undefined =>
  position <= begun.position || now <= begun.at
    ? undefined
    : ((now - begun.at) * Math.max(0, until - position)) / (position - begun.position)

const textOf = (view: ProgressView, now: number): string => {
  const elapsed = now - view.begun.at
  const speed = elapsed <= 0 ? 0 : ((view.rows - view.begun.rows) * 1000) / elapsed
  const left = remainingMs(view, now)
  return [
    `${(shareOf(view) * 100).toFixed(1)} %`,
    `${grouped(view.rows)} rows`,
    `${grouped(speed)} rows/s`,
    left === undefined ? "time left unknown" : `${clockOf(left)} left`,
    ...(view.waiting === "" ? [] : [view.waiting])
  ].join("  ")
}

/** One line for a log. */
export const plainLine = textOf

const barWidth = 24

/** One line for a terminal of that many columns; without the bar where it is too narrow. */
export const barLine = (view: ProgressView, now: number, columns: number): string => {
  const text = textOf(view, now)
  const done = Math.floor(shareOf(view) * barWidth)
  const line = `[${"#".repeat(done)}${"-".repeat(barWidth - done)}] ${text}`
  return (line.length < columns ? line : text).slice(0, Math.max(0, columns - 1))
}
