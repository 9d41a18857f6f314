/** One page of the documentation site, as Markdown. */
export interface SitePage {
  /** Its path, relative to the root of the site, with the extension `.md`. */
  readonly path: string
  readonly title: string
  /** One sentence for lists of pages. */
  readonly summary: string
  readonly text: string
}

/** Pages below one title in the navigation. */
export interface SiteSection {
  readonly title: string
  readonly pages: ReadonlyArray<SitePage>
}

/** Escapes the prose of a comment or a message, so that no character of it is a tag or an expression. */
export const prose = (text: string): string =>
  text
    .replaceAll(/\{@link ([^}\s]+)[^}]*\}/g, "`$1`")
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll("<", "&lt;").replaceAll("{{", "{&#8203;{")))
    .join("")

/** A fenced block of code. */
export const code = (language: string, text: string): string => `\`\`\`${language}\n${text.trim()}\n\`\`\``

/** Joins parts with an empty line between them. */
export const paragraphs = (...parts: ReadonlyArray<string>): string =>
  `${parts.filter((part) => part !== "").join("\n\n")}\n`

/** The first block of text that is not a heading, code, a table, a comment or a list. */
const firstParagraph = (text: string): string =>
  text
    .replaceAll(/^```[\s\S]*?^```$/gm, "")
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .find((block) => block !== "" && !/^(#|\||<!--|- |\d+\. )/.test(block)) ?? ""

/** A page of a Markdown file: its heading is the title, the first sentence of its text the summary. */
export const toSitePage = (path: string, text: string): SitePage => {
  const [, title = path] = /^# (.+)$/m.exec(text) ?? []
  const paragraph = firstParagraph(text)
  const [sentence = ""] = /^.*?[.:](?=\s|$)/.exec(paragraph.replaceAll("\n", " ")) ?? [paragraph]
  const summary = sentence.replace(/\[([^\]]+)\]\([^)]+\)/g, "$1").replace(/:$/, ".")
  return { path, title: title.replaceAll("`", ""), summary, text }
}
