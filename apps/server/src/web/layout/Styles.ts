import { readFileSync } from "node:fs"

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), "utf8")

/** The style of every page, inline: a page loads nothing else. */
export const pageStyle = read("page.css")

/** The style of a page with broad tables. */
export const wideStyle = pageStyle + read("wide.css")

/** The style of a page with forms and tables of an account. */
export const accountStyle = pageStyle + read("account.css")
