import type { UsageOfDay } from "../../auth/keys/AccountKeys.ts"
import { formatCount, groupDigits } from "../../internal/groupDigits.ts"
import { html } from "../layout/Html.ts"

const width = 600
const height = 100

/** The smallest round number not below `max`: the top of the plot. */
export const scaleEnd = (max: number): number => {
  const power = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(max, 1))))
  const steps = power === 1 ? [1, 2, 3, 4, 5, 6, 8, 10] : [1, 1.5, 2, 3, 4, 5, 6, 8, 10]
  return steps.map((step) => step * power).find((end) => end >= max) ?? max
}

const getSum = (usage: ReadonlyArray<UsageOfDay>, of: (day: UsageOfDay) => number) =>
  usage.reduce((sum, day) => sum + of(day), 0)

/** A text alternative of the plot. */
const description = (usage: ReadonlyArray<UsageOfDay>): string => {
  const [busiest] = [...usage].sort((a, b) => b.requests - a.requests)
  const total = getSum(usage, ({ requests }) => requests)
  if (busiest === undefined || total === 0) return `No requests in the last ${usage.length} days.`
  const refused = getSum(usage, (day) => day.refused)
  return (
    `${formatCount(total, "request")} in the last ${usage.length} days, ${groupDigits(refused)} of them refused by a limit. ` +
    `The busiest day was ${busiest.day} with ${groupDigits(busiest.requests)}.`
  )
}

const bars = (usage: ReadonlyArray<UsageOfDay>, end: number) => {
  const step = width / usage.length
  const tall = (value: number) => (value / end) * height
  return usage.map(({ day, refused, requests }, index) => {
    const x = (index * step + step * 0.15).toFixed(1)
    const top = height - tall(requests)
    const rect = (name: string, y: number, tallness: number) =>
      html`<rect
        class="${name}"
        x="${x}"
        y="${y.toFixed(2)}"
        width="${(step * 0.7).toFixed(1)}"
        height="${tallness.toFixed(2)}"
      />`
    return html`<g>
      <title>${day}: ${groupDigits(requests)} requests, ${groupDigits(refused)} refused</title>
      ${rect("refused", top, tall(refused))}${rect("served", top + tall(refused), tall(requests - refused))}
    </g>`
  })
}

const lines = [0, 0.5, 1].map(
  (part) => html`<line x1="0" x2="${width}" y1="${height - part * height}" y2="${height - part * height}" />`
)

const drawing = (usage: ReadonlyArray<UsageOfDay>) => {
  const end = scaleEnd(Math.max(...usage.map(({ requests }) => requests)))
  return html`<div class="axis" aria-hidden="true"><span>${groupDigits(end)}</span></div>
    <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="usage-words">
      ${lines} ${bars(usage, end)}
    </svg>
    <div class="axis" aria-hidden="true">
      <span>${usage.at(0)?.day ?? ""}</span><span>${usage.at(-1)?.day ?? ""}</span>
    </div>
    <ul class="legend">
      <li>Answered</li>
      <li class="refused">Refused by a limit</li>
    </ul>`
}

/** Requests per day as bars, with a text alternative and a table. */
export const usagePlot = (usage: ReadonlyArray<UsageOfDay>) =>
  html`<p id="usage-words">${description(usage)}</p>
    ${usage.some(({ requests }) => requests > 0) ? drawing(usage) : undefined}
    <details>
      <summary>The days as a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            <th scope="col" class="number">Requests</th>
            <th scope="col" class="number">Refused</th>
          </tr>
        </thead>
        <tbody>
          ${usage.toReversed().map(
            ({ day, refused, requests }) =>
              html`<tr>
                <th scope="row">${day}</th>
                <td class="number">${groupDigits(requests)}</td>
                <td class="number">${groupDigits(refused)}</td>
              </tr>`
          )}
        </tbody>
      </table>
    </details>`
