import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { repository } from "../Command.ts"

/** The files that configure the checkers, which every house shares with the repository. */
const configuration = [
  ".oxfmtrc.json",
  ".oxlintrc.json",
  "knip.json",
  "tsconfig.base.json",
  "tsconfig.json",
  "turbo.json"
]

/** Programs and types that a checker looks for from the root on. */
const linked = ["@types/node", "effect", "typescript"]

const members = ["packages/core", "packages/cex", "packages/blocks", "apps/server", "apps/sandbox", "examples"]

const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`

const rootManifest = json({
  name: "house",
  private: true,
  type: "module",
  packageManager: "pnpm@12.21.0",
  devDependencies: { effect: "catalog:" }
})

const app = (name: string, dependencies: ReadonlyArray<string>) =>
  json({
    name: `@chaintape/${name}`,
    private: true,
    type: "module",
    dependencies: Object.fromEntries(
      dependencies.map((dependency) => [dependency, dependency === "effect" ? "catalog:" : "workspace:*"])
    )
  })

/** A small house without a fault: every checker passes. */
const faultless: Readonly<Record<string, string>> = {
  "package.json": rootManifest,
  "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
  // Nothing is ever installed into a house.
  "pnpm-workspace.yaml":
    "packages: [packages/*, apps/*, examples]\nverifyDepsBeforeRun: false\npmOnFail: ignore\n" +
    'catalog: { effect: 4.1.0, "@effect/vitest": 4.0.5 }\n',
  "packages/core/src/index.ts": 'export { Word } from "./Word.ts"\n',
  "packages/core/src/Word.ts":
    'import * as Schema from "effect/Schema"\n\nexport const Word = Schema.String.check(Schema.isMinLength(1))\n',
  "packages/cex/src/index.ts":
    'import { Word } from "@chaintape/core/Word"\nimport * as Schema from "effect/Schema"\n\n' +
    "export const Words = Schema.Array(Word)\n",
  "packages/blocks/src/index.ts": 'export { Word } from "@chaintape/core/Word"\n',
  "apps/server/package.json": app("server", ["@chaintape/core", "effect"]),
  "apps/server/src/main.ts":
    'import { Word } from "@chaintape/core"\nimport { Schema } from "effect"\n\n' +
    "export const words = Schema.Array(Word)\n",
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

/** Uses a house in a temporary folder, with `files` in it besides the faultless ones or in place of them. */
export const inHouse = async <A>(files: Files, use: (root: string) => Promise<A>): Promise<A> => {
  const root = await mkdtemp(join(tmpdir(), "chaintape-house-"))
  try {
    for (const name of configuration) await cp(join(repository, name), join(root, name))
    for (const member of members) {
      await mkdir(join(root, member), { recursive: true })
      for (const name of await readdir(join(repository, member))) {
        if (/^(package|turbo|tsconfig)\.json$/.test(name))
          await cp(join(repository, member, name), join(root, member, name))
      }
      await link(root, member, "effect", join(repository, "node_modules", "effect"))
      for (const name of ["core", "cex", "blocks"]) {
        if (member !== `packages/${name}`) await link(root, member, `@chaintape/${name}`, join(root, "packages", name))
      }
    }
    // Single packages are linked, never the folder: whoever writes into it writes into the house.
    for (const name of linked) await link(root, ".", name, join(repository, "node_modules", name))
    await write(root, { ...faultless, ...files })
    return await use(root)
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}
