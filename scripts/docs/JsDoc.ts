/** A parsed documentation comment. */
export interface JsDoc {
  /** The first paragraph, on one line. */
  readonly summary: string
  /** Everything before the first tag, as Markdown. */
  readonly text: string
  readonly since: string | undefined
  readonly category: string | undefined
  /** The TypeScript blocks of the `@example` tags. */
  readonly examples: ReadonlyArray<Example>
}

export interface Example {
  readonly title: string
  readonly code: string
}

interface Tag {
  readonly name: string
  readonly text: string
}

const tagLine = /^@(\w+)(?:\s+(.*))?$/

/** Without the stars at the beginning of the lines. */
const withoutStars = (comment: string): ReadonlyArray<string> =>
  comment
    .replace(/^\*\s?/, "")
    .split("\n")
    .map((line) => line.replace(/^\s*\*? ?/, "").trimEnd())

/** The text before the first tag has the name "". A tag within a fenced block is code. */
const parseTags = (lines: ReadonlyArray<string>): ReadonlyArray<Tag> => {
  const tags: Array<{ name: string; lines: Array<string> }> = [{ name: "", lines: [] }]
  let fenced = false
  for (const line of lines) {
    const [, name, rest = ""] = fenced ? [] : (tagLine.exec(line) ?? [])
    if (name === undefined) tags.at(-1)?.lines.push(line)
    else tags.push({ name, lines: [rest] })
    if (line.startsWith("```")) fenced = !fenced
  }
  return tags.map(({ name, lines: of }) => ({ name, text: of.join("\n").trim() }))
}

const fencedTypeScript = /^([\s\S]*?)```ts\n([\s\S]*?)^```$/m

const parseExamples = (text: string): ReadonlyArray<Example> => {
  const [, title = "", code] = fencedTypeScript.exec(text) ?? []
  return code === undefined ? [] : [{ title: title.trim(), code }]
}

/** Parses the text between the delimiters of a block comment, its first star included. */
export const parseJsDoc = (comment: string): JsDoc => {
  const tags = parseTags(withoutStars(comment))
  const first = (name: string) => tags.find((tag) => tag.name === name)?.text
  const text = first("") ?? ""
  return {
    summary: (text.split("\n\n")[0] ?? "").replaceAll("\n", " "),
    text,
    since: first("since"),
    category: first("category"),
    examples: tags.filter(({ name }) => name === "example").flatMap((tag) => parseExamples(tag.text))
  }
}
