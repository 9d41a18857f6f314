import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { assert, describe, it } from "vitest"
import { repository } from "../../Command.ts"
import { brokenLinks, markdownFiles } from "../../docs/Links.ts"
import { inTemporaryFolder } from "../../TemporaryFolder.ts"

const findBroken = (files: Readonly<Record<string, string>>) =>
  inTemporaryFolder("links", async (root) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
    return brokenLinks(root)
  })

describe("a link of a document", () => {
  it("leads to a file, a folder, a heading or the outside", async () =>
    assert.deepStrictEqual(
      await findBroken({
        "README.md":
          "[a](docs/a.md), [b](docs), [c](docs/a.md#two-words-and-code), [d](#here), [e](https://x.invalid)\n\n# Here\n",
        "docs/a.md": "## Two words, and `code`\n\n[up](../README.md)\n"
      }),
      []
    ))

  it("is named when nothing is where it leads to", async () =>
    assert.deepStrictEqual(
      await findBroken({
        "README.md": "[a](docs/b.md)\n[b](docs/a.md#three)\n[c](#there)\n",
        "docs/a.md": "# Two\n\n```\n# three\n```\n"
      }),
      [
        'README.md: there is no "docs/b.md"',
        'README.md: there is no heading for "docs/a.md#three"',
        'README.md: there is no heading for "#there"'
      ]
    ))

  it("is ignored in code and in installed packages", async () =>
    assert.deepStrictEqual(
      await findBroken({
        "README.md": "`[a](b.md)`\n\n```\n[a](b.md)\n```\n",
        "node_modules/x/README.md": "[a](b.md)"
      }),
      []
    ))
})

describe("the repository", () => {
  it("has no broken link", async () => {
    assert.includeMembers([...(await markdownFiles(repository))], ["README.md", "docs/configuration.md"])
    assert.deepStrictEqual(await brokenLinks(repository), [])
  })
})
