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
