import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { repository } from "../../Command.ts"
import { published } from "../../Packages.ts"
import { inTemporaryFolder } from "../../TemporaryFolder.ts"

/** The configuration files of the checkers, which every fixture shares with the repository. */
const configuration = [
  ".changeset",
  ".gitignore",
  ".oxfmtrc.json",
  "apps/demo/tsconfig.json",
  "knip.json",
  "knip.production.json",
  "oxlint.config.ts",
  "scripts/Directions.ts",
  "tsconfig.base.json",
  "tsconfig.json",
  "turbo.json"
]

/** Programs and types that a checker resolves from the root. */
const linked = ["@types/node", "effect", "oxlint", "typescript"]

const members = [
  ...published.map((name) => `packages/${name}`),
  "packages/contract",
  "apps/server",
  "apps/sandbox",
  "examples"
]

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

const rootManifest = json({
  name: "house",
  private: true,
  type: "module",
  packageManager: "pnpm@12.21.0",
  devDependencies: { oxlint: "catalog:", typescript: "catalog:" }
})

const app = (name: string, dependencies: ReadonlyArray<string>) =>
  json({
    exports: { ".": "./src/main.ts" },
    name: `@chaintape/${name}`,
    private: true,
    type: "module",
    dependencies: Object.fromEntries(
      dependencies.map((dependency) => [dependency, dependency === "effect" ? "catalog:" : "workspace:*"])
    )
  })

/** A small repository without errors: every checker passes. */
const faultless: Readonly<Record<string, string>> = {
  "package.json": rootManifest,
  "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
  // Nothing is ever installed into a fixture.
  "pnpm-workspace.yaml":
    "packages: [packages/*, apps/*, examples]\nverifyDepsBeforeRun: false\npmOnFail: ignore\n" +
    "catalog: { effect: 4.1.0, oxlint: 1.94.0, typescript: 7.0.2 }\n",
  "packages/core/src/index.ts": 'export { Word } from "./Word.ts"\n',
  "packages/core/src/Word.ts":
    'import * as Schema from "effect/Schema"\n\nexport const Word = Schema.String.check(Schema.isMinLength(1))\n',
  "packages/cex/src/index.ts":
    'import { Word } from "@chaintape/core"\nimport * as Schema from "effect/Schema"\n\n' +
    "export const Words = Schema.Array(Word)\n",
  "packages/dex/src/index.ts": 'export { Word } from "@chaintape/core"\n',
  "packages/blocks/src/index.ts": 'export { Word } from "@chaintape/core"\n',
  "packages/contract/src/index.ts":
    'import { Word } from "@chaintape/core"\nimport * as Schema from "effect/Schema"\n\n' +
    "export const ServedWords = Schema.Array(Word)\n",
  "apps/server/package.json": app("server", ["@chaintape/core", "effect"]),
  "apps/server/src/main.ts":
    'import { Word } from "@chaintape/core"\nimport { Schema } from "effect"\n\n' +
    "export const words = Schema.Array(Word)\n",
  "apps/demo/src/main.ts": "export const title = document.title\n",
  "apps/sandbox/package.json": app("sandbox", ["@chaintape/core", "effect"]),
  "apps/sandbox/src/main.ts": 'export { Word } from "@chaintape/core"\n',
  "examples/package.json": app("examples", ["@chaintape/cex"]),
  "examples/words.ts": 'export { Words } from "@chaintape/cex"\n'
}

export type Files = Readonly<Record<string, string>>

const write = async (root: string, files: Files) => {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}

const link = async (root: string, member: string, name: string, target: string) => {
  const at = join(root, member, "node_modules", name)
  await mkdir(dirname(at), { recursive: true })
  await symlink(target, at, "dir")
}

/** The manifest of a workspace member, without the dependencies of its tests. */
const readManifest = async (member: string) => {
  const manifest: unknown = JSON.parse(await readFile(join(repository, member, "package.json"), "utf8"))
  const source = { "chaintape-source": "./src/index.ts", types: "./dist/index.d.ts", default: "./dist/index.js" }
  const { "chaintape-source": _source, ...built } = source
  const isPublished = /^packages\/(core|cex|dex|blocks)$/.test(member)
  return json({
    ...(typeof manifest === "object" ? manifest : {}),
    // The one entry that its sources have.
    ...(isPublished ? { exports: { ".": source }, publishConfig: { access: "public", exports: { ".": built } } } : {}),
    // The contract depends on effect itself.
    devDependencies: member === "packages/contract" ? {} : { effect: "catalog:" }
  })
}

/** Uses a fixture in a temporary folder, in which `files` add to or replace the correct ones. */
export const withFixtureRepo = <A>(files: Files, use: (root: string) => Promise<A>): Promise<A> =>
  inTemporaryFolder("house", async (root) => {
    for (const name of configuration) await cp(join(repository, name), join(root, name), { recursive: true })
    for (const member of members) {
      await mkdir(join(root, member), { recursive: true })
      for (const name of await readdir(join(repository, member))) {
        if (/^(package|turbo|tsconfig)\.json$/.test(name))
          await cp(join(repository, member, name), join(root, member, name))
      }
      await write(root, { [`${member}/package.json`]: await readManifest(member) })
      await link(root, member, "effect", join(repository, "node_modules", "effect"))
      for (const name of published) {
        if (member !== `packages/${name}`) await link(root, member, `@chaintape/${name}`, join(root, "packages", name))
      }
    }
    // Packages are linked one by one, never the whole folder: writing into the link would write into the repository.
    for (const name of linked) await link(root, ".", name, join(repository, "node_modules", name))
    await write(root, { ...faultless, ...files })
    return use(root)
  })
