import { escape } from "./Page.ts"

/** Text that may stand in a page as it is. */
export interface Html {
  readonly _tag: "Html"
  readonly text: string
}

type Part = Html | string | number | undefined | ReadonlyArray<Html>

const textOf = (part: Part): string => {
  if (part === undefined) return ""
  if (typeof part === "string") return escape(part)
  if (typeof part === "number") return String(part)
  return "_tag" in part ? part.text : part.map(({ text }) => text).join("\n")
}

/** A piece of a page. What is put into it is escaped, unless it is a piece itself; undefined is nothing. */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => ({
  _tag: "Html",
  text: strings.map((text, index) => text + (index < parts.length ? textOf(parts[index]) : "")).join("")
})
