import { assert, describe, it } from "vitest"
import type { Check } from "../Check.ts"
import * as Checks from "../Checks.ts"
import { releaseNotes } from "../ReleaseNotes.ts"
import { type Files, inHouse } from "./House.ts"

interface Fault {
  readonly check: Check
  readonly what: string
  readonly files: Files
  /** What the checker's output must name. */
  readonly names: RegExp
}

const source = (text: string): Files => ({ "apps/server/src/main.ts": `${text}\n` })
const core = (text: string): Files => ({ "packages/core/src/Word.ts": `${text}\n` })
const manifest = (value: unknown) => JSON.stringify(value)
const published = (exports: unknown) =>
  manifest({
    name: "@chaintape/core",
    version: "1.0.0",
    license: "MIT",
    files: ["dist", "src"],
    type: "module",
    exports,
    peerDependencies: { effect: "^4.1.0" }
  })

const faults: ReadonlyArray<Fault> = [
  { check: Checks.format, what: "a semicolon", files: source("export const one = 1;"), names: /main\.ts/ },
  { check: Checks.format, what: "single quotes", files: source("export const one = 'one'"), names: /main\.ts/ },
  { check: Checks.lint, what: "any", files: source("export const f = (x: any) => x"), names: /no-explicit-any/ },
  {
    check: Checks.lint,
    what: "a non-null assertion",
    files: source("export const f = (x?: string) => x!.length"),
    names: /no-non-null-assertion/
  },
  {
    check: Checks.lint,
    what: "a directive that disables nothing",
    files: source("// oxlint-disable-next-line no-debugger\nexport const one = 1"),
    names: /Unused .*directive/i
  },
  {
    check: Checks.types,
    what: "a wrong type",
    files: source('export const one: number = "one"'),
    names: /main\.ts.*TS2322/
  },
  {
    check: Checks.types,
    what: "an index that may be absent",
    files: source("export const f = (xs: ReadonlyArray<number>): number => xs[0]"),
    names: /TS2322/
  },
  {
    check: Checks.types,
    what: "syntax that can't be erased",
    files: source("export enum Side {\n  Buy\n}"),
    names: /TS1294/
  },
  {
    check: Checks.demoTypes,
    what: "what a browser does not have",
    files: { "apps/demo/src/main.ts": "export const title = document.titel\n" },
    names: /main\.ts.*TS2551/
  },
  {
    check: Checks.effectDiagnostics,
    what: "an effect that nobody runs",
    files: core('import * as Effect from "effect/Effect"\n\nexport const f = () => {\n  Effect.log("lost")\n}'),
    names: /floatingEffect/
  },
  {
    check: Checks.effectDiagnostics,
    what: "a yield without its star",
    files: core(
      'import * as Effect from "effect/Effect"\n\nexport const f = Effect.gen(function* () {\n  yield Effect.void\n})'
    ),
    names: /missingStarInYieldEffectGen/
  },
  {
    check: Checks.effectDiagnostics,
    what: "a date that no test controls",
    files: core("export const now = () => new Date()"),
    names: /globalDate/
  },
  {
    check: Checks.effectDiagnostics,
    what: "a project without the plugin, where it would look at nothing",
    files: { "tsconfig.base.json": manifest({ compilerOptions: { module: "NodeNext", strict: true, types: [] } }) },
    names: /did not look at any file/
  },
  {
    check: Checks.unused,
    what: "an export that nobody imports",
    files: {
      "apps/server/src/Greeting.ts": 'export const greeting = "hello"\nexport const farewell = "bye"\n',
      ...source('import { greeting } from "./Greeting.ts"\n\nexport const text = greeting')
    },
    names: /farewell/
  },
  {
    check: Checks.unused,
    what: "a file that nobody imports",
    files: { "apps/server/src/Forgotten.ts": "export const one = 1\n" },
    names: /Unused files[^]*Forgotten\.ts/
  },
  {
    check: Checks.unused,
    what: "a dependency that nobody imports",
    files: { "examples/words.ts": "export const one = 1\n" },
    names: /Unused dependencies[^]*@chaintape\/cex/
  },
  {
    check: Checks.boundaries,
    what: "core importing a client",
    files: {
      "packages/core/package.json": manifest({
        name: "@chaintape/core",
        dependencies: { "@chaintape/cex": "workspace:*", effect: "catalog:" }
      })
    },
    names: /@chaintape\/cex/
  },
  {
    check: Checks.boundaries,
    what: "core importing an app",
    files: {
      "packages/core/package.json": manifest({
        name: "@chaintape/core",
        dependencies: { "@chaintape/server": "workspace:*", effect: "catalog:" }
      })
    },
    names: /@chaintape\/server/
  },
  {
    check: Checks.boundaries,
    what: "a client importing another client",
    files: {
      "packages/cex/package.json": manifest({
        name: "@chaintape/cex",
        dependencies: { "@chaintape/core": "workspace:*", "@chaintape/blocks": "workspace:*", effect: "catalog:" }
      })
    },
    names: /@chaintape\/blocks/
  },
  {
    check: Checks.boundaries,
    what: "a client importing an app",
    files: {
      "packages/cex/package.json": manifest({
        name: "@chaintape/cex",
        dependencies: { "@chaintape/core": "workspace:*", "@chaintape/sandbox": "workspace:*", effect: "catalog:" }
      })
    },
    names: /@chaintape\/sandbox/
  },
  {
    check: Checks.boundaries,
    what: "the sandbox importing the server",
    files: {
      "apps/sandbox/package.json": manifest({
        name: "@chaintape/sandbox",
        dependencies: { "@chaintape/core": "workspace:*", "@chaintape/server": "workspace:*" }
      })
    },
    names: /@chaintape\/server/
  },
  {
    check: Checks.boundaries,
    what: "an example importing the server",
    files: {
      "examples/package.json": manifest({
        name: "@chaintape/examples",
        dependencies: { "@chaintape/cex": "workspace:*", "@chaintape/server": "workspace:*" }
      })
    },
    names: /@chaintape\/server/
  },
  {
    check: Checks.boundaries,
    what: "a dependency that is not declared",
    files: core('import { createClient } from "redis"\n\nexport const Word = createClient'),
    names: /redis/
  },
  {
    check: Checks.boundaries,
    what: "a file of another package",
    files: core('export { Words as Word } from "../../cex/src/index.ts"'),
    names: /cex\/src\/index\.ts/
  },
  {
    check: releaseNotes,
    what: "a note on a package that does not exist",
    files: { ".changeset/note.md": '---\n"@chaintape/nowhere": minor\n---\n\nNothing happened.\n' },
    names: /@chaintape\/nowhere/
  },
  {
    check: Checks.build,
    what: "a package that does not compile",
    files: core('export const Word: number = "one"'),
    names: /TS2322/
  },
  {
    check: Checks.publint,
    what: "an export without its file",
    files: {
      "packages/core/package.json": published({
        ".": { types: "./dist/index.d.ts", default: "./dist/absent.js" }
      })
    },
    names: /absent\.js/
  },
  {
    check: Checks.attw,
    what: "an export without types",
    files: {
      "packages/core/package.json": published({ ".": { default: "./dist/plain.js" } }),
      "packages/core/dist/plain.js": "export const one = 1\n"
    },
    names: /core:[^]*types/i
  }
]

/** Packed packages are judged as they are built. */
const isOfTarballs = (check: Check) => check === Checks.publint || check === Checks.attw

const judge = (check: Check, files: Files) =>
  inHouse({ ...files, ...(isOfTarballs(check) ? built : {}) }, (root) => check.judge(root))

/** What the manifests offer by name. */
const offered = {
  core: ["index", "promise/index", "testing/index"],
  cex: ["index", "CexCalls", "CexStream", "testing/index"],
  dex: ["index", "DexCalls", "DexStream", "testing/index"],
  blocks: ["index", "BlocksCalls", "BlocksStream", "testing/index"]
}

const built: Files = Object.fromEntries(
  Object.entries(offered).flatMap(([name, modules]) =>
    modules.flatMap((module) => [
      [`packages/${name}/dist/${module}.js`, "export const one = 1\n"],
      [`packages/${name}/dist/${module}.d.ts`, "export declare const one: number\n"]
    ])
  )
)

describe("every check", { timeout: 180_000 }, () => {
  it.each(Checks.checks)("$title passes a house without a fault", async (check) => {
    const finding = await judge(check, {})
    assert.isTrue(finding.passed, finding.passed ? "" : finding.output)
  })

  it("has a planted fault", () => {
    const planted = new Set(faults.map(({ check }) => check))
    assert.deepStrictEqual(
      Checks.checks.filter((check) => !planted.has(check)).map(({ title }) => title),
      []
    )
  })
})

describe("a check", { timeout: 180_000 }, () => {
  it.each(faults)("$check.title finds $what", async ({ check, files, names }) => {
    const finding = await judge(check, files)
    assert.isFalse(finding.passed)
    if (!finding.passed) assert.match(finding.output, names)
  })
})
