import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { run } from "./Command.ts"

/** The folders in `packages` whose package is not private. */
export const publishedPackages = async (root: string): Promise<ReadonlyArray<string>> => {
  const published: Array<string> = []
  for (const name of (await readdir(join(root, "packages"))).sort()) {
    const text = await readFile(join(root, "packages", name, "package.json"), "utf8").catch(() => undefined)
    if (text === undefined) continue
    const manifest: unknown = JSON.parse(text)
    const isPrivate = typeof manifest === "object" && manifest !== null && "private" in manifest && manifest.private
    if (isPrivate !== true) published.push(name)
  }
  return published
}

/** Packs one package as for publishing, and returns the path of the tarball. */
export const pack = async (root: string, name: string, destination: string): Promise<string> => {
  const target = join(destination, `${name}.tgz`)
  const { code, output } = await run("pnpm", ["pack", "--out", target], { cwd: join(root, "packages", name) })
  if (code !== 0) throw new Error(`"${name}" can't be packed:\n${output}`)
  return target
}
