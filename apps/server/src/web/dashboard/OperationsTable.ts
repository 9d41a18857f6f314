import { operations, textOf } from "@chaintape/contract"
import type { UsageOfDay, UsageOfOperation } from "../../auth/keys/AccountKeys.ts"
import { groupDigits } from "../../internal/groupDigits.ts"
import { html } from "../layout/Html.ts"
import { stackCell, stackTable } from "../layout/Table.ts"

const summaries: ReadonlyMap<string, string> = new Map([
  ...operations.map((operation) => [`${operation.group}.${operation.name}`, textOf(operation).summary] as const),
  ["cex.liveTrades", "Stream the trades of a market"],
  ["dex.liveSwaps", "Stream the swaps of a pool"],
  ["blocks.liveBlocks", "Stream the blocks of a chain"]
])

const barWidth = 100

const bar = ({ refused, requests }: UsageOfOperation, max: number) => {
  const wide = (value: number) => ((value / max) * barWidth).toFixed(2)
  return html`<svg class="part" viewBox="0 0 ${barWidth} 8" preserveAspectRatio="none" aria-hidden="true">
    <rect class="refused" x="0" y="0" width="${wide(requests)}" height="8" />
    <rect class="served" x="0" y="0" width="${wide(requests - refused)}" height="8" />
  </svg>`
}

const row = (use: UsageOfOperation, max: number) =>
  html`<tr role="row">
    <th scope="row" role="rowheader" data-label="Operation">
      <span>${summaries.get(use.operation) ?? use.operation} <code>${use.operation}</code></span>
    </th>
    ${stackCell("Requests", groupDigits(use.requests), "number")}
    ${stackCell("Refused", groupDigits(use.refused), "number")}
    <td role="cell" class="parts">${bar(use, max)}</td>
  </tr>`

/** A version without this table has counted the requests of a day, but not their operations. */
const countUnassigned = (uses: ReadonlyArray<UsageOfOperation>, days: ReadonlyArray<UsageOfDay>) => {
  const total = days.reduce((sum, { requests }) => sum + requests, 0)
  const counted = uses.reduce((sum, { requests }) => sum + requests, 0)
  const older = total - counted
  if (older <= 0) return undefined
  return html`<p class="quiet">
    ${groupDigits(older)} older ${older === 1 ? "request was" : "requests were"} counted by day only.
  </p>`
}

/** The requests of the same days by operation, most requests first. */
export const operationsTable = (uses: ReadonlyArray<UsageOfOperation>, days: ReadonlyArray<UsageOfDay>) => {
  const max = Math.max(1, ...uses.map(({ requests }) => requests))
  return html`${
    uses.length === 0
      ? html`<p>No requests by operation in the last ${days.length} days.</p>`
      : stackTable(
          "operations",
          ["Operation", "Requests", "Refused", "Share"],
          uses.map((use) => row(use, max)),
          ["Requests", "Refused"]
        )
  }
  ${countUnassigned(uses, days)}`
}
