/** Writes the pages of the documentation site as Markdown into `site/dist/content`, from which `site/` builds it. */
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { repository } from "./Command.ts"
import { homePage, picture } from "./site/HomePage.ts"
import { llmsFullText, llmsText } from "./site/LlmsText.ts"
import { siteSections } from "./site/Sections.ts"
import type { SiteSection } from "./site/SitePage.ts"

/** The entries of the navigation; the rest of a page is in its file. */
const navigation = (sections: ReadonlyArray<SiteSection>) =>
  sections.map(({ pages, title }) => ({ title, pages: pages.map(({ path, title }) => ({ path, title })) }))

const write = async (folder: string, path: string, text: string) => {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

const folder = join(repository, "site", "dist", "content")
const sections = await siteSections(repository)
await rm(folder, { recursive: true, force: true })
await write(folder, "index.md", homePage(sections, await readFile(join(repository, "README.md"), "utf8")))
await write(folder, "navigation.json", JSON.stringify(navigation(sections)))
await mkdir(join(folder, "public"), { recursive: true })
await copyFile(join(repository, "docs", picture.source), join(folder, "public", picture.name))
await write(folder, "public/llms.txt", llmsText(sections))
await write(folder, "public/llms-full.txt", llmsFullText(sections))
for (const { path, text } of sections.flatMap(({ pages }) => pages)) {
  await write(folder, path, text)
  await write(folder, `public/${path}`, text)
}
process.stdout.write(`${sections.flatMap(({ pages }) => pages).length} pages in ${folder}\n`)
