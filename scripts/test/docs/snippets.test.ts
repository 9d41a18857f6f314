import { assert, describe, it } from "vitest"
import { check, documents, findRegion, rewrite, unmarked } from "../../snippets.ts"

const source = `import { a } from "a"

  // #region one
  const x = a()

    x()
  // #endregion

// #region two
a()
// #endregion
`

const files: Readonly<Record<string, string>> = { "examples/a.ts": source }

const read = async (path: string) => {
  const text = files[path]
  if (text === undefined) throw new Error(`There is no "${path}".`)
  return text
}

const block = (marker: string, body: string) => `${marker}\n\n\`\`\`ts\n${body}\`\`\`\n`
const one = "const x = a()\n\n  x()\n"
const toMarker = (name: string, file = "examples/a.ts") => `<!-- snippet: ${file}#${name} -->`

describe("a region", () => {
  it("is the text between its marks, without the common indentation", () => {
    assert.strictEqual(findRegion(source, "one"), one)
    assert.strictEqual(findRegion(source, "two"), "a()\n")
  })

  it("is absent where the name is unknown, the end is missing, or nothing stands between", () => {
    assert.isUndefined(findRegion(source, "three"))
    assert.isUndefined(findRegion("// #region one\na()\n", "one"))
    assert.isUndefined(findRegion("// #region one\n// #endregion\n", "one"))
  })
})

describe("a document", () => {
  it("passes when its snippets are those of their sources", async () => {
    const text = `# Title\n\n${block(toMarker("one"), one)}\nText.\n\n${block(toMarker("two"), "a()\n")}`
    assert.deepStrictEqual(await rewrite("README.md", text, read), { text, findings: [] })
    assert.deepStrictEqual(unmarked("README.md", text), [])
  })

  it("has its different snippet reported, and replaced by the text of the source", async () => {
    const text = `# Title\n\n${block(toMarker("one"), "const x = b()\n")}\nText.\n`
    const { findings, text: rewritten } = await rewrite("README.md", text, read)
    assert.deepStrictEqual(findings, ['README.md:3: the snippet differs from "examples/a.ts#one"'])
    assert.strictEqual(rewritten, `# Title\n\n${block(toMarker("one"), one)}\nText.\n`)
  })

  it("has a missing file or region reported, and stays unchanged", async () => {
    const text = block(toMarker("three"), "c()\n") + block(toMarker("one", "examples/b.ts"), "b()\n")
    const { findings, text: rewritten } = await rewrite("README.md", text, read)
    assert.deepStrictEqual(findings, [
      'README.md:1: "examples/a.ts" has no region "three"',
      'README.md:6: there is no file "examples/b.ts"'
    ])
    assert.strictEqual(rewritten, text)
  })

  it("has a snippet without a source reported", () => {
    const text = `${block(toMarker("one"), one)}\n${block("Look:\n", "let it = 1\n")}`
    assert.deepStrictEqual(unmarked("README.md", text), [
      "README.md:12: the snippet names no file that it is taken from"
    ])
  })
})

describe("the repository", () => {
  it("shows in its READMEs what its examples do", async () => {
    assert.includeMembers(
      [...(await documents())],
      ["README.md", "packages/blocks/README.md", "packages/cex/README.md", "packages/core/README.md"]
    )
    assert.deepStrictEqual(await check({ write: false }), [])
  })
})
