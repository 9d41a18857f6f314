import { escape } from "./Page.ts"

/** Escapes text for HTML. */
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

/** A template of HTML. Values are escaped unless they are HTML themselves; undefined is empty. */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html => ({
  _tag: "Html",
  text: strings.map((text, index) => text + (index < parts.length ? textOf(parts[index]) : "")).join("")
})
