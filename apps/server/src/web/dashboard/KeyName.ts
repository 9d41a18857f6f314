import { html } from "../layout/Html.ts"
import type { Html } from "../layout/Html.ts"

/** Characters of a name that end an isolation, also that of an element: the paragraph separator and those that isolate. */
const isolating = /[\u2029\u2066-\u2069]/g

const withoutIsolating = (name: string): string => name.replaceAll(isolating, "")

/** A name in a page: it may have any direction, which does not change that of the text around it. */
export const renderKeyName = (name: string): Html => html`<bdi>${withoutIsolating(name)}</bdi>`

/** A name in a title, which has no elements: between characters that isolate it. */
export const isolateKeyName = (name: string): string => `\u2068${withoutIsolating(name)}\u2069`
