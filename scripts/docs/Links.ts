/** The links between the Markdown files of the repository. */
import { readdir, readFile, stat } from "node:fs/promises"
import { dirname, join } from "node:path"

const closed = new Set(["node_modules", "dist", "coverage", "artifacts", "fixtures"])

/**
 * Every Markdown file below a folder, by relative path. Folders whose name starts with a dot, and installed or
 * generated ones, are skipped.
 */
export const markdownFiles = async (root: string, folder = ""): Promise<ReadonlyArray<string>> => {
  const entries = await readdir(join(root, folder), { withFileTypes: true })
  const found = await Promise.all(
    entries.map((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        return closed.has(entry.name) || entry.name.startsWith(".") ? [] : markdownFiles(root, path)
      }
      return entry.name.endsWith(".md") ? [path] : []
    })
  )
  return found.flat().sort()
}

const withoutCode = (text: string) => text.replaceAll(/^(```+)[\s\S]*?^\1$/gm, "").replaceAll(/`[^`\n]*`/g, "")

const linkTargets = (text: string): ReadonlyArray<string> =>
  [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target)

/** The anchor of a heading. */
const toAnchor = (heading: string) =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-")

const findAnchors = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.replaceAll(/^(```+)[\s\S]*?^\1$/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      toAnchor(heading)
    )
  )

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false
  )

const brokenIn = async (root: string, file: string): Promise<ReadonlyArray<string>> => {
  const text = await readFile(join(root, file), "utf8")
  const findings: Array<string> = []
  for (const target of linkTargets(text)) {
    if (/^[a-z]+:/.test(target)) continue
    const [path = "", anchor] = target.split("#")
    const to = path === "" ? join(root, file) : join(root, dirname(file), path)
    if (!(await isThere(to))) findings.push(`${file}: there is no "${target}"`)
    else if (anchor !== undefined && to.endsWith(".md") && !findAnchors(await readFile(to, "utf8")).has(anchor)) {
      findings.push(`${file}: there is no heading for "${target}"`)
    }
  }
  return findings
}

/** The links to missing files and headings, as sentences. External links are not checked. */
export const brokenLinks = async (root: string): Promise<ReadonlyArray<string>> => {
  const files = await markdownFiles(root)
  return (await Promise.all(files.map((file) => brokenIn(root, file)))).flat()
}
