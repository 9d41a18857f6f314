/** A page for each release of the packages, from their changelogs, and one for the unreleased changes. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { published } from "../Packages.ts"
import { paragraphs, type SitePage, type SiteSection } from "./SitePage.ts"

interface Change {
  /** `major`, `minor` or `patch`. */
  readonly size: string
  readonly packages: ReadonlyArray<string>
  readonly text: string
}

const sizes = ["major", "minor", "patch"] as const

const whatSizeMeans: { readonly [size in (typeof sizes)[number]]: string } = {
  major: "Programs have to change",
  minor: "New, and before 1.0 possibly different",
  patch: "Corrected"
}

const note = /^---\n([\s\S]*?)---\n([\s\S]*)$/

const parseChanges = (text: string): ReadonlyArray<Change> => {
  const [, head = "", body = ""] = note.exec(text) ?? []
  const bumps = [...head.matchAll(/^"([^"]+)": (major|minor|patch)$/gm)].map(([, name = "", size = ""]) => ({
    name,
    size
  }))
  const size = sizes.find((one) => bumps.some((bump) => bump.size === one))
  return size === undefined ? [] : [{ size, packages: bumps.map(({ name }) => name), text: body.trim() }]
}

/** The notes that belong to no release yet. */
const unreleased = async (root: string): Promise<ReadonlyArray<Change>> => {
  const names = (await readdir(join(root, ".changeset"))).filter((name) => name.endsWith(".md")).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(root, ".changeset", name), "utf8")))
  return texts.flatMap(parseChanges)
}

/** The releases of one changelog: the changes by version, newest first. */
export const parseReleases = (name: string, changelog: string): ReadonlyMap<string, ReadonlyArray<Change>> => {
  const releases = new Map<string, ReadonlyArray<Change>>()
  for (const [, version = "", body = ""] of changelog.matchAll(/^## (\S+)\n([\s\S]*?)(?=^## |$(?![\s\S]))/gm)) {
    const parts = [...body.matchAll(/^### (\w+) Changes\n([\s\S]*?)(?=^### |$(?![\s\S]))/gm)]
    const changes = parts.flatMap(([, size = "", list = ""]) =>
      list
        .split(/^- /m)
        .map((text) =>
          text
            .replace(/^[0-9a-f]{7,}: /, "")
            .replaceAll(/^ {2}/gm, "")
            .trim()
        )
        .filter((text) => text !== "" && !text.startsWith("Updated dependencies"))
        .map((text) => ({ size: size.toLowerCase(), packages: [name], text }))
    )
    releases.set(version, changes)
  }
  return releases
}

const merged = (changes: ReadonlyArray<Change>): ReadonlyArray<Change> => {
  const texts = [...new Set(changes.map(({ text }) => text))]
  return texts.flatMap((text) => {
    const same = changes.filter((change) => change.text === text)
    return same.slice(0, 1).map((first) => ({ ...first, packages: same.flatMap(({ packages }) => packages) }))
  })
}

const toSitePage = (path: string, title: string, lead: string, changes: ReadonlyArray<Change>): SitePage => ({
  path: `releases/${path}.md`,
  title,
  summary: lead,
  text: paragraphs(
    `# ${title}`,
    lead,
    ...sizes.flatMap((size) => {
      const of = merged(changes).filter((change) => change.size === size)
      if (of.length === 0) return []
      return [
        `## ${whatSizeMeans[size]}`,
        ...of.flatMap(({ packages, text }) => [text, packages.map((name) => `\`${name}\``).join(", ")])
      ]
    })
  )
})

const packagesShare = "The packages share one version: upgrade all of them at once."

/** The changes of each version. */
export const releaseSection = async (root: string): Promise<SiteSection> => {
  const releases = new Map<string, Array<Change>>()
  for (const name of published) {
    const text = await readFile(join(root, "packages", name, "CHANGELOG.md"), "utf8").catch(() => "")
    for (const [version, changes] of parseReleases(`@chaintape/${name}`, text)) {
      releases.set(version, [...(releases.get(version) ?? []), ...changes])
    }
  }
  const next = await unreleased(root)
  const pages = [...releases].map(([version, changes]) =>
    toSitePage(
      version,
      `To ${version}`,
      `What changes for a program that upgrades to ${version}. ${packagesShare}`,
      changes
    )
  )
  const lead = `What changes with the next release. ${packagesShare}`
  return {
    title: "Upgrading",
    pages: [...(next.length === 0 ? [] : [toSitePage("next", "To the next release", lead, next)]), ...pages]
  }
}
