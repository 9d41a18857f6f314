import { html } from "./Html.ts"
import type { Html } from "./Html.ts"

/** A table that scrolls sideways where it is too wide. Undefined without rows. */
export const toTable = (caption: string, columns: ReadonlyArray<string>, rows: ReadonlyArray<Html>): Html | undefined =>
  rows.length === 0
    ? undefined
    : html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0">
        <table>
          <caption>
            ${caption}
          </caption>
          <thead>
            <tr>
              ${columns.map((column) => html`<th scope="col">${column}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows}
          </tbody>
        </table>
      </div>`

/** A cell of `stackTable`, whose label stands beside it in a stacked row. */
export const stackCell = (label: string, content: Html | string, name?: string): Html =>
  html`<td role="cell" data-label="${label}" ${name === undefined ? undefined : html` class="${name}"`}>${content}</td>`

/**
 * The table below the heading with this id. In a narrow window each row is stacked; its roles keep it a table for screen
 * readers. `numbers` are the columns that are aligned as numbers.
 */
export const stackTable = (
  heading: string,
  columns: ReadonlyArray<string>,
  rows: ReadonlyArray<Html>,
  numbers: ReadonlyArray<string> = []
): Html =>
  html`<table class="${heading} stack" role="table" aria-labelledby="${heading}">
    <thead role="rowgroup">
      <tr role="row">
        ${columns.map((name) => html`<th scope="col" role="columnheader" ${numbers.includes(name) ? html` class="number"` : undefined}>${name}</th>`)}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows}
    </tbody>
  </table>`
