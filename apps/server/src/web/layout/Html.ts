const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

/** Text of HTML: values in it are escaped. */
export interface Html {
  readonly _tag: "Html"
  readonly text: string
}

type Part = Html | string | number | undefined | ReadonlyArray<Html>

const toText = (part: Part): string => {
  if (part === undefined) return ""
  if (typeof part === "string") return escape(part)
  if (typeof part === "number") return String(part)
  return "_tag" in part ? part.text : part.map(({ text }) => text).join("\n")
}

/** A style or a script of this service, which must not be escaped. */
export const raw = (text: string): Html => ({ _tag: "Html", text })

/** A template of HTML. Values are escaped unless they are HTML themselves; undefined is empty. */
export const html = (strings: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  raw(strings.map((text, index) => text + (index < parts.length ? toText(parts[index]) : "")).join(""))
