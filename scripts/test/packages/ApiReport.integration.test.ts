import { execFileSync } from "node:child_process"
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { getEntries, reportFile } from "../../ApiReport.ts"
import { repository, run } from "../../Command.ts"
import { readPackageExports } from "../../docs/DocExamples.ts"
import { published } from "../../Packages.ts"
import { inTemporaryFolder } from "../../TemporaryFolder.ts"

describe("the public interface", () => {
  it("has at most 14 entries and 120 names", async () => {
    const entries = getEntries(await readPackageExports(repository))
    assert.isAtMost(entries.length, 14)
    assert.isAtLeast(entries.length, 8)
    const names = new Set(entries.flatMap(({ names }) => names))
    assert.isAtMost(names.size, 120)
    assert.isAbove(names.size, 60)
  })
})

const git = (root: string, ...args: ReadonlyArray<string>) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false", ...args], {
    cwd: root
  })

/** A repository whose packages export one constant each, with its report on the branch `main`. */
const inHouse = (
  use: (root: string, check: (...args: ReadonlyArray<string>) => ReturnType<typeof run>) => Promise<void>
) =>
  inTemporaryFolder("api", async (root) => {
    const write = async (path: string, text: string) => {
      await mkdir(join(root, path, ".."), { recursive: true })
      await writeFile(join(root, path), text)
    }
    for (const name of published) {
      const exports = { ".": { "chaintape-source": "./src/index.ts" } }
      await write(`packages/${name}/package.json`, JSON.stringify({ name: `@chaintape/${name}`, exports }))
      await write(`packages/${name}/src/index.ts`, "export const word = 1\n")
      await write(`packages/${name}/dist/index.d.ts`, "export declare const word = 1;\n")
    }
    const check = (...args: ReadonlyArray<string>) =>
      run(process.execPath, [join(repository, "scripts", "api-report.ts"), ...args], { cwd: root })
    git(root, "init", "--quiet", "--initial-branch=main")
    await check("--write")
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message=all")
    git(root, "switch", "--quiet", "--create", "work")
    await use(root, check)
  })

describe("the report of the public interface", { timeout: 180_000 }, () => {
  it("passes where nothing has changed", () =>
    inHouse(async (_, check) => assert.deepStrictEqual(await check(), { code: 0, output: "" })))

  it("is asked for where a declaration has changed, and for a release note with it", () =>
    inHouse(async (root, check) => {
      await writeFile(join(root, "packages/core/dist/index.d.ts"), "export declare const word = 2;\n")
      const stale = await check()
      assert.strictEqual(stale.code, 1)
      assert.include(stale.output, "The public interface has changed")
      const unnoted = await check("--write")
      assert.strictEqual(unnoted.code, 1)
      assert.include(unnoted.output, `${reportFile} has changed without a release note`)
      git(root, "add", "--all")
      git(root, "commit", "--quiet", "--message=change")
      assert.strictEqual((await check()).code, 1)
      await mkdir(join(root, ".changeset"))
      await writeFile(join(root, ".changeset/word.md"), "The word became two.\n")
      assert.deepStrictEqual(await check(), { code: 0, output: "" })
    }))
})
