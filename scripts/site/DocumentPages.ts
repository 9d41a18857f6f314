/** The Markdown files of the repository as pages, at the same paths, so that their links remain valid. */
import { readdir, readFile } from "node:fs/promises"
import { dirname, join, normalize } from "node:path"
import { toSitePage, type SitePage, type SiteSection } from "./SitePage.ts"

/** In the order of reading. */
const guides = ["first-request", "errors-and-retries", "streaming", "as-of-a-block", "testing", "running"]
const service = ["interface", "live", "configuration", "operations", "limits", "instances", "command-line", "accounts"]
const data = ["trades", "proofs", "dex-accounting", "protocols", "archives"]
const project = ["journeys", "glossary", "benchmarks", "faults"]
const additions = [
  "where-does-it-go",
  "adding-an-exchange",
  "adding-a-chain",
  "adding-a-protocol",
  "adding-an-endpoint",
  "adding-an-error",
  "adding-a-pool-field"
]
const root = ["ARCHITECTURE.md", "CONTRIBUTING.md"]

const markdownIn = async (folder: string): Promise<ReadonlyArray<string>> =>
  (await readdir(folder)).filter((name) => name.endsWith(".md")).sort()

const inOrder = (first: ReadonlyArray<string>, names: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...first.map((name) => `${name}.md`).filter((name) => names.includes(name)),
  ...names.filter((name) => !first.includes(name.replace(/\.md$/, "")))
]

const link = /(?<!!)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g

/** A link to a file that is not a page of the site becomes its text; an external link stays. */
export const withoutForeignLinks = (path: string, text: string, pages: ReadonlySet<string>): string =>
  text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, index) =>
      index % 2 === 1
        ? part
        : part.replaceAll(link, (whole, shown: string, target: string) => {
            if (/^(https?:|#)/.test(target)) return whole
            const [file = ""] = target.split("#")
            return pages.has(normalize(join(dirname(path), file))) ? whole : shown
          })
    )
    .join("")

/** The source of a snippet is a comment for the check of the snippets, not for the reader. */
const withoutMarks = (text: string) => text.replaceAll(/^<!-- snippet: .* -->\n\n?/gm, "")

/** The sections of the documents. */
export const documentSections = async (repository: string): Promise<ReadonlyArray<SiteSection>> => {
  const documents = await markdownIn(join(repository, "docs"))
  const paths = {
    guides: [
      ...inOrder(guides, await markdownIn(join(repository, "docs", "guides"))).map((name) => `docs/guides/${name}`),
      "docs/retries.md"
    ],
    service: service.map((name) => `docs/${name}.md`),
    project: [...project, ...additions].map((name) => `docs/${name}.md`),
    data: data.map((name) => `docs/${name}.md`),
    decisions: (await markdownIn(join(repository, "docs", "decisions"))).map((name) => `docs/decisions/${name}`)
  }
  const listed = [...service, ...data, ...project, ...additions, "retries"].map((name) => `${name}.md`)
  const unlisted = documents.filter((name) => !listed.includes(name))
  if (unlisted.length > 0) throw new Error(`DocumentPages.ts has no section for ${unlisted.join(", ")} of docs/`)
  const known = new Set([...Object.values(paths).flat(), ...root])
  const read = (files: ReadonlyArray<string>): Promise<ReadonlyArray<SitePage>> =>
    Promise.all(
      files.map(async (path) => {
        const text = withoutMarks(await readFile(join(repository, path), "utf8"))
        return toSitePage(path, withoutForeignLinks(path, text, known))
      })
    )
  return [
    { title: "Guides", pages: await read(paths.guides) },
    { title: "The service", pages: await read(paths.service) },
    { title: "What the data mean", pages: await read(paths.data) },
    { title: "The project", pages: await read([...root, ...paths.project]) },
    { title: "Decisions", pages: await read(paths.decisions) }
  ]
}
