import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig } from "vitepress"
import { icon } from "../../apps/server/src/web/layout/Icon.ts"

interface Section {
  readonly title: string
  readonly pages: ReadonlyArray<{ readonly path: string; readonly title: string }>
}

const content = join(import.meta.dirname, "..", "dist", "content")
const file = join(content, "navigation.json")
if (!existsSync(file)) throw new Error(`There is no "${file}": run "npx -y pnpm@12 site" in the folder above.`)
const sections: ReadonlyArray<Section> = JSON.parse(readFileSync(file, "utf8"))

/** Within its package, the name of a module is what follows the package's own. */
const nameIn = (section: Section, title: string) =>
  title.startsWith(`${section.title}/`) ? title.slice(section.title.length + 1) : title

const groupOf = (section: Section) => ({
  text: section.title,
  items: section.pages.map(({ path, title }) => ({
    text: nameIn(section, title),
    link: `/${path.replace(/(index)?\.md$/, "")}`
  }))
})

const groups = sections.map(groupOf)
const isReference = ({ text }: { readonly text: string }) => text.startsWith("@")
const isHttp = ({ text }: { readonly text: string }) => text === "HTTP interface"
const isProblem = ({ text }: { readonly text: string }) => text === "Problems"
const first = (title: string) => groups.find(({ text }) => text === title)?.items[0]?.link ?? "/"

export default defineConfig({
  title: "Chaintape",
  description: "Crypto market and blockchain data, and the Effect packages that read it",
  lang: "en",
  head: [["link", { rel: "icon", type: "image/svg+xml", href: icon }]],
  base: process.env["SITE_BASE"] ?? "/guide/",
  srcDir: "dist/content",
  srcExclude: ["public/**"],
  outDir: "dist/site",
  cacheDir: "dist/cache",
  cleanUrls: false,
  lastUpdated: false,
  markdown: {
    theme: { light: "github-light-high-contrast", dark: "github-dark-high-contrast" }
  },
  themeConfig: {
    nav: [
      { text: "Guides", link: first("Guides") },
      { text: "HTTP", link: first("HTTP interface") },
      { text: "Packages", link: first("@chaintape/core") },
      { text: "Problems", link: first("Problems") },
      { text: "Service", link: first("The service") }
    ],
    sidebar: {
      "/api/": groups.filter(isReference),
      "/http/": groups.filter(isHttp),
      "/problems/": groups.filter(isProblem),
      "/": groups.filter((group) => !isReference(group) && !isHttp(group) && !isProblem(group))
    },
    outline: { level: [2, 3] },
    search: {
      provider: "local",
      options: { translations: { button: { buttonText: "Search", buttonAriaLabel: "Search" } } }
    },
    docFooter: { prev: "Before", next: "Next" }
  }
})
