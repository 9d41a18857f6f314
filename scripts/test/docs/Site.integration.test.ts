import { dirname, join, normalize } from "node:path"
import { assert, beforeAll, describe, it } from "vitest"
import { explainedProblems } from "../../../apps/server/src/web/ProblemPages.ts"
import { repository } from "../../Command.ts"
import { parse } from "../../docs/PublicExports.ts"
import { withoutForeignLinks } from "../../site/DocumentPages.ts"
import { llmsText } from "../../site/LlmsText.ts"
import { parseReleases } from "../../site/ReleasePages.ts"
import { siteSections } from "../../site/Sections.ts"
import { toSitePage, prose, type SitePage, type SiteSection } from "../../site/SitePage.ts"

describe("a page of a document", () => {
  it("is called by its heading, and summed up by its first sentence", () => {
    const { summary, title } = toSitePage(
      "a.md",
      "# The `one`\n\n```\ncode\n```\n\nIt is [so](b.md)\nand so. It is more.\n\nMore.\n"
    )
    assert.deepStrictEqual([title, summary], ["The one", "It is so and so."])
  })

  it("keeps links to pages and to the outside, and shows the text of all others", () => {
    const pages = new Set(["docs/b.md"])
    const text = "[b](b.md#x) [c](../c.ts) [`d`](d.md) [e](https://e.invalid)\n\n```\n[c](c.md)\n```\n"
    assert.strictEqual(
      withoutForeignLinks("docs/a.md", text, pages),
      "[b](b.md#x) c `d` [e](https://e.invalid)\n\n```\n[c](c.md)\n```\n"
    )
  })

  it("shows characters of prose as they are, and leaves code alone", () =>
    assert.strictEqual(prose("a < b, `a < b` {{ c }} {@link D}"), "a &lt; b, `a < b` {&#8203;{ c }} `D`"))
})

const changelog = `# @chaintape/core

## 0.2.0

### Minor Changes

- 1a2b3c4: \`Client\` became faster,
  by half.
- 5d6e7f8: Something else.

### Patch Changes

- 9a8b7c6: A correction.
- Updated dependencies [9a8b7c6]
  - @chaintape/core@0.2.0

## 0.1.0

### Minor Changes

- 1a1a1a1: All of it.
`

describe("a changelog", () => {
  it("lists the changes of each release by their impact on programs", () => {
    const releases = [...parseReleases("@chaintape/core", changelog)].map(([version, changes]) => [
      version,
      changes.map(({ size, text }) => `${size}: ${text}`)
    ])
    assert.deepStrictEqual(releases, [
      ["0.2.0", ["minor: `Client` became faster,\nby half.", "minor: Something else.", "patch: A correction."]],
      ["0.1.0", ["minor: All of it."]]
    ])
  })
})

const findLinks = ({ path, text }: SitePage) =>
  [...text.replaceAll(/^```[\s\S]*?^```$/gm, "").matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => (target.startsWith("/") ? target.slice(1) : normalize(join(dirname(path), target))))

describe("the site", () => {
  let sections: ReadonlyArray<SiteSection> = []
  let pages: ReadonlyArray<SitePage> = []

  beforeAll(async () => {
    sections = await siteSections(repository)
    pages = sections.flatMap(({ pages }) => pages)
  }, 180_000)

  it("has the guides, the reference of every package, the problems, the releases and the service", () =>
    assert.includeMembers(
      sections.map(({ title }) => title),
      [
        "Guides",
        "@chaintape/cex",
        "@chaintape/dex",
        "@chaintape/blocks",
        "@chaintape/core",
        "Problems",
        "Upgrading",
        "The service"
      ]
    ))

  it("has a page for every kind of problem", () =>
    assert.includeMembers(
      pages.map(({ path }) => path),
      explainedProblems.map(({ problem }) => `problems/${problem.code}.md`)
    ))

  it("links only to pages that it has, which each have a title and a place of their own", () => {
    const paths = new Set(pages.map(({ path }) => path))
    assert.strictEqual(paths.size, pages.length)
    assert.isEmpty(pages.filter(({ title }) => title === ""))
    const dead = pages.flatMap((page) =>
      findLinks(page)
        .filter((link) => !paths.has(link))
        .map((link) => `${page.path}: ${link}`)
    )
    assert.deepStrictEqual(dead, [])
  })

  it("shows a class with the types of its static members, and a function without its body", () => {
    const text = pages.find(({ path }) => path === "api/cex/index.md")?.text ?? ""
    assert.include(text, "class Cex extends Context.Service<")
    assert.match(text, /static readonly layer: \(options: ClientOptions\) => Layer\.Layer<Cex/)
    const policy = pages.find(({ path }) => path === "api/core/Decimal.md")?.text ?? ""
    assert.match(policy, /declare const toNumber: \(.*\) => number/)
  })

  it("is listed for language models, page by page", () => {
    const text = llmsText(sections)
    assert.isTrue(text.startsWith("# Chaintape\n\n> "))
    for (const { path, title } of pages) assert.include(text, `- [${title}](${path})`)
  })

  it("shows code that can be read as TypeScript", () => {
    const reference = pages.filter(({ path }) => path.startsWith("api/"))
    for (const { path, text } of reference) {
      for (const [, code = ""] of text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)) parse(path.replace(/\.md$/, ".ts"), code)
    }
    assert.isAbove(reference.length, 10)
  })
})
