import { readFile, symlink } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { repository, run } from "../Command.ts"
import { tallyFile } from "../Tally.ts"
import { type Files, inHouse } from "./House.ts"

const config =
  'import { defineConfig } from "vitest/config"\n\nexport default defineConfig({ test: { include: ["*.test.ts"] } })\n'

const tallyOf = (files: Files) =>
  inHouse({ "vitest.config.ts": config, ...files }, async (root) => {
    await symlink(join(repository, "node_modules", "vitest"), join(root, "node_modules", "vitest"), "dir")
    const file = join(root, "tally.json")
    const reporter = `--reporter=${join(repository, "scripts", "Tally.ts")}`
    const { code } = await run("vitest", ["run", reporter], { cwd: root, env: { [tallyFile]: file } })
    const tally: unknown = JSON.parse(await readFile(file, "utf8"))
    return { code, tally }
  })

const test = (body: string) => `import { it } from "vitest"\n\n${body}\n`

describe("the tally of a run", { timeout: 180_000 }, () => {
  it("counts what passed, failed and was skipped, with the reason", async () => {
    const body =
      'it("works", () => {})\nit("fails", () => { throw new Error("no") })\nit.skip("waits", () => {})\n' +
      'it("needs", (context) => context.skip("REDIS_URL is not set"))\nit.todo("plans")'
    const { code, tally } = await tallyOf({ "a.test.ts": test(body) })
    assert.notStrictEqual(code, 0)
    assert.deepStrictEqual(tally, {
      files: [
        {
          file: "a.test.ts",
          passed: 1,
          failed: ["a.test.ts > fails"],
          skipped: [
            { test: "a.test.ts > waits", note: "" },
            { test: "a.test.ts > needs", note: "REDIS_URL is not set" },
            { test: "a.test.ts > plans", note: "" }
          ]
        }
      ],
      errors: 0
    })
  })

  it("counts a file that does not load", async () => {
    const { tally } = await tallyOf({ "a.test.ts": 'import "./absent.ts"\n' })
    assert.deepStrictEqual(tally, {
      files: [{ file: "a.test.ts", passed: 0, failed: ["a.test.ts"], skipped: [] }],
      errors: 0
    })
  })

  it("counts a failure that belongs to no test", async () => {
    const body = 'it("works", () => { void Promise.reject(new Error("nobody waits for this")) })'
    const { tally } = await tallyOf({ "a.test.ts": test(body) })
    assert.deepStrictEqual(tally, {
      files: [{ file: "a.test.ts", passed: 1, failed: [], skipped: [] }],
      errors: 1
    })
  })
})
