import { join } from "node:path"
import { assert, describe, it } from "vitest"
import root from "../../../package.json" with { type: "json" }
import { type Finished, repository, run } from "../../Command.ts"
import { clients } from "../../Packages.ts"
import { type Files, withFixtureRepo } from "./FixtureRepo.ts"

/** The repository's commands for static checks, apart from those with tests of their own (unit tests, `ApiReport`). */
const checks = new Map(
  Object.entries(root.scripts).filter(
    ([name]) => name === "build" || (name.startsWith("check:") && !["check:unit", "check:api"].includes(name))
  )
)

/** Runs a command of the repository in a fixture, which has no scripts of its own. */
const judge = (check: string, house: string): Promise<Finished> => {
  const [program = "", ...args] = (checks.get(check) ?? `"${check}" is no script`).split(" ")
  const here = args.map((arg) => (arg.startsWith("scripts/") ? join(repository, arg) : arg))
  return run(program, here, { cwd: house })
}

/** Checks one fixture, at most two checks at a time. */
const judgeAll = (names: ReadonlyArray<string>, files: Files): Promise<ReadonlyMap<string, Finished>> =>
  withFixtureRepo(files, async (house) => {
    const waiting = [...names]
    const judged = new Map<string, Finished>()
    const work = async () => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
        judged.set(name, await judge(name, house))
    }
    await Promise.all([work(), work()])
    return judged
  })

interface Fault {
  readonly check: string
  readonly what: string
  readonly files: Files
  /** The output of the checker must contain it. */
  readonly names: RegExp
}

const server = (name: string, text: string): Files => ({ [`apps/server/src/${name}.ts`]: `${text}\n` })
const core = (name: string, text: string): Files => ({ [`packages/core/src/${name}.ts`]: `${text}\n` })

const inCode: ReadonlyArray<Fault> = [
  {
    check: "check:format",
    what: "a semicolon",
    files: server("Semicolon", "export const one = 1;"),
    names: /Semicolon\.ts/
  },
  {
    check: "check:format",
    what: "single quotes",
    files: server("Quotes", "export const one = 'one'"),
    names: /Quotes\.ts/
  },
  {
    check: "check:lint",
    what: "any",
    files: server("Any", "export const f = (x: any) => x"),
    names: /no-explicit-any[^]*?Any\.ts/
  },
  {
    check: "check:lint",
    what: "a non-null assertion",
    files: server("NonNull", "export const f = (x?: string) => x!.length"),
    names: /no-non-null-assertion[^]*?NonNull\.ts/
  },
  {
    check: "check:lint",
    what: "a directive that disables nothing",
    files: server("Directive", "// oxlint-disable-next-line no-debugger\nexport const one = 1"),
    names: /Unused .*directive[^]*?Directive\.ts/i
  },
  {
    check: "check:types",
    what: "a wrong type",
    files: server("WrongType", 'export const one: number = "one"'),
    names: /WrongType\.ts.*TS2322/
  },
  {
    check: "check:types",
    what: "an index that may be absent",
    files: server("Index", "export const f = (xs: ReadonlyArray<number>): number => xs[0]"),
    names: /Index\.ts.*TS2322/
  },
  {
    check: "check:types",
    what: "syntax that can't be erased",
    files: server("Side", "export enum Side {\n  Buy\n}"),
    names: /Side\.ts.*TS1294/
  },
  {
    check: "check:demo-types",
    what: "what a browser does not have",
    files: { "apps/demo/src/main.ts": "export const title = document.titel\n" },
    names: /main\.ts.*TS2551/
  },
  {
    check: "check:effect",
    what: "an effect that no code runs",
    files: core(
      "Floating",
      'import * as Effect from "effect/Effect"\n\nexport const f = () => {\n  Effect.log("lost")\n}'
    ),
    names: /Floating\.ts.*floatingEffect/
  },
  {
    check: "check:effect",
    what: "a yield without its star",
    files: core(
      "Starless",
      'import * as Effect from "effect/Effect"\n\nexport const f = Effect.gen(function* () {\n  yield Effect.void\n})'
    ),
    names: /Starless\.ts.*missingStarInYieldEffectGen/
  },
  {
    check: "check:effect",
    what: "a date that no test controls",
    files: core("Today", "export const now = () => new Date()"),
    names: /Today\.ts.*globalDate/
  },
  {
    check: "check:unused",
    what: "an export without an import",
    files: {
      ...server("Greeting", 'export const greeting = "hello"\nexport const farewell = "bye"'),
      ...server("main", 'import { greeting } from "./Greeting.ts"\n\nexport const text = greeting')
    },
    names: /Unused exports[^]*farewell/
  },
  {
    check: "check:unused",
    what: "a file without an import",
    files: server("Forgotten", "export const one = 1"),
    names: /Unused files[^]*Forgotten\.ts/
  },
  {
    check: "check:unused",
    what: "a dependency without an import",
    files: { "examples/words.ts": "export const one = 1\n" },
    names: /Unused dependencies[^]*@chaintape\/cex/
  },
  {
    check: "check:test-only",
    what: "an export that only a test imports",
    files: {
      ...server("Farewell", 'export const farewell = "bye"'),
      "apps/server/test/Farewell.test.ts": 'import { farewell } from "../src/Farewell.ts"\n\nvoid farewell\n'
    },
    names: /Farewell\.ts/
  },
  {
    check: "check:boundaries",
    what: "a dependency that is not declared",
    files: core("Undeclared", 'export { createClient } from "redis"'),
    names: /`redis`/
  },
  {
    check: "check:boundaries",
    what: "a file of another package",
    files: core("Foreign", 'export { Words } from "../../cex/src/index.ts"'),
    names: /cex\/src\/index\.ts/
  },
  {
    check: "check:release-notes",
    what: "a note on a package that does not exist",
    files: { ".changeset/note.md": '---\n"@chaintape/nowhere": minor\n---\n\nNothing happened.\n' },
    names: /@chaintape\/nowhere/
  },
  {
    check: "build",
    what: "a package that does not compile",
    files: core("Word", 'export const Word: number = "one"'),
    names: /Word\.ts.*TS2322/
  }
]

const manifest = (name: string, dependencies: ReadonlyArray<string>) =>
  JSON.stringify({
    name: `@chaintape/${name}`,
    dependencies: Object.fromEntries(dependencies.map((one) => [`@chaintape/${one}`, "workspace:*"]))
  })

const boundary = (from: string, to: string): Omit<Fault, "files"> => ({
  check: "check:boundaries",
  what: `${from} importing ${to}`,
  names: new RegExp(`\`@chaintape/${to}\` found with[^\`]*\`@chaintape/${from}\``)
})

const coreManifest = { "packages/core/package.json": manifest("core", ["cex", "server"]) }

/** In contrast to the other manifests: who imports core must also import what core imports. */
const inManifestOfCore: ReadonlyArray<Fault> = [
  { ...boundary("core", "cex"), files: coreManifest },
  { ...boundary("core", "server"), files: coreManifest }
]

const cexManifest = { "packages/cex/package.json": manifest("cex", ["core", "blocks", "sandbox"]) }

const inManifests: ReadonlyArray<Fault> = [
  { ...boundary("cex", "blocks"), files: cexManifest },
  { ...boundary("cex", "sandbox"), files: cexManifest },
  { ...boundary("sandbox", "server"), files: { "apps/sandbox/package.json": manifest("sandbox", ["server"]) } },
  { ...boundary("examples", "server"), files: { "examples/package.json": manifest("examples", ["server"]) } }
]

/** The names that the manifests export. */
const offered = {
  core: ["index"],
  cex: ["index"],
  dex: ["index"],
  blocks: ["index"]
}

const built: Files = Object.fromEntries(
  Object.entries(offered).flatMap(([name, modules]) =>
    modules.flatMap((module) => [
      [`packages/${name}/dist/${module}.js`, "export const one = 1\n"],
      [`packages/${name}/dist/${module}.d.ts`, "export declare const one: number\n"]
    ])
  )
)

/** Only one package is published here: each takes a second. */
const packed: Files = {
  ...Object.fromEntries(clients.map((name) => [`packages/${name}/package.json`, JSON.stringify({ private: true })])),
  "packages/core/package.json": JSON.stringify({
    name: "@chaintape/core",
    version: "1.0.0",
    license: "MIT",
    files: ["dist", "src"],
    type: "module",
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/absent.js" },
      "./plain": { default: "./dist/plain.js" }
    },
    peerDependencies: { effect: "^4.1.0" }
  }),
  "packages/core/dist/index.d.ts": "export declare const one: number\n",
  "packages/core/dist/plain.js": "export const one = 1\n"
}

const inPackages: ReadonlyArray<Fault> = [
  { check: "check:packed", what: "an export without its file", files: packed, names: /absent\.js/ },
  { check: "check:packed", what: "an export without types", files: packed, names: /core\/plain[^]*No types/ }
]

const houses = [
  { place: "the code", faults: inCode },
  { place: "the manifest of core", faults: inManifestOfCore },
  { place: "the other manifests", faults: inManifests },
  { place: "the packed packages", faults: inPackages }
]

describe("every check", { timeout: 180_000 }, () => {
  it("passes a repository without a fault", async () => {
    const judged = await judgeAll([...checks.keys()], built)
    const failed = [...judged].filter(([, { code }]) => code !== 0)
    assert.strictEqual(failed.map(([check, { output }]) => `${check}:\n${output}`).join("\n"), "")
  })

  it("has a planted fault", () => {
    const planted = houses.flatMap(({ faults }) => faults.map(({ check }) => check))
    assert.sameMembers([...new Set(planted)], [...checks.keys()])
  })

  it.each(houses)("finds each fault that is planted in $place", async ({ faults }) => {
    const names = new Set(faults.map(({ check }) => check))
    const judged = await judgeAll([...names], Object.assign({}, ...faults.map(({ files }) => files)))
    const unfound = faults.filter(({ check, names: named }) => {
      const { code, output } = judged.get(check) ?? { code: 0, output: "" }
      return code === 0 || !named.test(output)
    })
    const reports = [...new Set(unfound.map(({ check }) => `${check}:\n${judged.get(check)?.output}`))]
    assert.deepStrictEqual(
      unfound.map(({ check, what }) => `${check} does not find ${what}`),
      [],
      reports.join("\n")
    )
  })
})
