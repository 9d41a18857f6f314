import { html } from "../layout/Html.ts"
import type { Html } from "../layout/Html.ts"

/** A name in a page: it may have any direction, which does not change that of the text around it. */
export const renderKeyName = (name: string): Html => html`<bdi>${name}</bdi>`

/** A name in a title, which has no elements: between characters that isolate it. */
export const isolateKeyName = (name: string): string => `\u2068${name}\u2069`
