import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { repository } from "../../Command.ts"

const readFiles = (folder: string, end: string): ReadonlyArray<string> =>
  readdirSync(join(repository, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(end))
    .map((file) => readFileSync(join(repository, folder, file), "utf8"))

const toNames = (texts: ReadonlyArray<string>, pattern: RegExp): ReadonlyArray<string> =>
  [...new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name)))].sort()

describe("the metrics", () => {
  it("are all in the documents, and no others", () => {
    const exported = toNames(
      readFiles("apps/server/src", ".ts"),
      /Metric\.(?:counter|gauge|histogram|frequency|summary|timer)\(\s*"(chaintape_\w+)"/g
    )
    const documented = toNames(readFiles("docs", ".md"), /\b(chaintape_[a-z_]+)\b/g)
    assert.isAtLeast(exported.length, 20)
    assert.deepStrictEqual(documented, exported)
  })
})
