import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { assert, beforeAll, describe, it } from "vitest"
import { repository } from "../../Command.ts"
import { compileAndRun, getExamples, readPackageExports, getFindings } from "../../docs/DocExamples.ts"
import type { ModuleExports } from "../../docs/PublicExports.ts"
import { published } from "../../Packages.ts"
import { inTemporaryFolder } from "../../TemporaryFolder.ts"

const commented = (text: string, tags: string, code: string) => `/**\n * ${text}\n *\n${tags}\n */\nexport ${code}\n`

const tags = " * @since 0.1.0\n * @category models"
const file = "packages/core/src/Word.ts"

const exportsEntry = (path: string) => ({ "chaintape-source": path })

/** Packages of which only core has modules: `Word`, and an index that re-exports it. */
const inPackages = <A>(word: string, use: (exports: ReadonlyArray<ModuleExports>) => A | Promise<A>): Promise<A> =>
  inTemporaryFolder("documentation", async (root) => {
    const files: Record<string, string> = {
      "packages/core/src/index.ts": commented("All.", tags, 'export * from "./Word.ts"').replace(
        "export export",
        "export"
      ),
      "packages/core/src/internal/hidden.ts": commented("Hidden.", tags, "interface Hidden {}"),
      [file]: word
    }
    for (const name of published) {
      const entries = name === "core" ? { ".": exportsEntry("./src/index.ts") } : {}
      files[`packages/${name}/package.json`] = JSON.stringify({ name: `@chaintape/${name}`, exports: entries })
      await mkdir(join(root, "packages", name, "src"), { recursive: true })
    }
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true })
      await writeFile(join(root, path), text)
    }
    return use(await readPackageExports(root))
  })

const head = "/**\n * Words.\n *\n * @since 0.1.0\n */\n"
const example = (code: string) => ` *\n * @example\n * \`\`\`ts\n * ${code}\n * \`\`\``

describe("the comments of a module", { timeout: 180_000 }, () => {
  it("pass with a summary, a version, a category and an example", () =>
    inPackages(
      `${head}import type * as fs from "node:fs"\n\n` +
        commented("A word.", `${tags}\n${example("const word = 1")}`, "const word = 1"),
      (exports) => assert.deepStrictEqual(getFindings(exports), [])
    ))

  it("are reported with everything that they lack", () =>
    inPackages(
      `${commented("", " * @since 0.1.0", "const one = 1")}\nexport interface Two {}\n` +
        commented("Three.", " * @category models", "class Three {}"),
      (exports) =>
        assert.deepStrictEqual(getFindings(exports), [
          `${file}: one lacks a summary, @category, an @example`,
          `${file}: Two lacks a comment`,
          `${file}: Three lacks @since, an @example`
        ])
    ))

  it("are reported for each member of an interface, and each field of an error, that has none", () =>
    inPackages(
      `${head}import "x"\n${commented("It.", `${tags}\n${example("const it = 1")}`, "interface One { /** A. */ a: 1\n b: 1 }")}\n` +
        commented("It.", `${tags}\n${example("const it = 1")}`, "const Two = 1") +
        "export interface Two { c: 1; /** D. */ d: 1 }\n" +
        commented("It.", `${tags}\n${example("const it = 1")}`, "class Three extends Failure<{ e: 1 }> {}"),
      (exports) =>
        assert.deepStrictEqual(getFindings(exports), [
          `${file}: One lacks a comment on "b"`,
          `${file}: Two lacks a comment on "c"`,
          `${file}: Three lacks a comment on "e"`
        ])
    ))

  it("may share an example, which covers what it uses and not what it only imports or mentions", () =>
    inPackages(
      `/**\n * Words.\n *\n * @since 0.1.0\n${example(
        'import { One, Two, Three } from "x"\n * const used: One = Two.make("Three") // Three'
      )}\n */\nimport "x"\n` +
        ["One", "Two", "Three"].map((name) => commented("It.", tags, `class ${name} {}`)).join("\n"),
      (exports) => assert.deepStrictEqual(getFindings(exports), [`${file}: Three lacks an @example`])
    ))

  it("are shared by a constant and the type with its name", () =>
    inPackages(
      `${head}import "x"\n${commented("A word.", `${tags}\n${example("let it = 1")}`, "const Word = 1")}\n` +
        "export type Word = 1\n",
      (exports) => assert.deepStrictEqual(getFindings(exports), [])
    ))

  it("count for what the module takes from a file that no program can import", () =>
    inPackages(`${head}export { type Hidden } from "./internal/hidden.ts"\n`, (exports) =>
      assert.deepStrictEqual(getFindings(exports), ["packages/core/src/internal/hidden.ts: Hidden lacks an @example"])
    ))
})

const judge = (...codes: ReadonlyArray<string>) =>
  compileAndRun(
    repository,
    codes.map((code, index) => ({ title: "", code, place: `place ${index + 1}` }))
  )

describe("an example", { timeout: 180_000 }, () => {
  it("passes when it compiles and runs", async () =>
    assert.deepStrictEqual(await judge('import { Effect } from "effect"\nawait Effect.runPromise(Effect.void)\n'), []))

  it("is named with its line when it does not compile", async () => {
    const findings = await judge("const one: number = 1\n", 'const one = 1\nconst two: number = "two"\n')
    assert.deepStrictEqual(findings, [
      "place 2, line 2: error TS2322: Type 'string' is not assignable to type 'number'."
    ])
  })

  it("is named when it fails, asks the network or waits for nothing", async () => {
    const findings = await judge(
      'if (Math.PI > 3) throw new Error("It is three.")\n',
      'await fetch("http://127.0.0.1:1")\n',
      "await new Promise(() => {})\n"
    )
    assert.deepStrictEqual(findings, [
      "place 1, line 1: Error: It is three.",
      "place 2, line 1: Error: An example must not use the network.",
      "place 3, line 1: it waits for something that never happens"
    ])
  })
})

describe("the packages", () => {
  let exports: ReadonlyArray<ModuleExports> = []

  beforeAll(async () => {
    exports = await readPackageExports(repository)
  }, 180_000)

  it("offer modules in every package", () => {
    const specifiers = exports.map(({ module }) => module.specifier)
    assert.includeMembers(specifiers, [
      "@chaintape/blocks",
      "@chaintape/cex",
      "@chaintape/core",
      "@chaintape/core/operations",
      "@chaintape/dex"
    ])
    assert.isEmpty(specifiers.filter((specifier) => specifier.includes("internal")))
  })

  it("explain every export", () => {
    assert.deepStrictEqual(getFindings(exports), [])
  })

  it("show examples that compile and run", { timeout: 300_000 }, async () => {
    const examples = getExamples(exports)
    assert.isAbove(examples.length, 0)
    assert.deepStrictEqual(await compileAndRun(repository, examples), [])
  })
})
