/**
 * Checks that the release notes name packages that exist. `changeset status` compares with the branch `main`, which a
 * checkout of one commit lacks, and with `--since` it ignores committed notes. So it runs in a temporary repository
 * that holds the manifests and the notes.
 */
import { cp, mkdir, readdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { run } from "./Command.ts"
import { inTemporaryFolder } from "./TemporaryFolder.ts"

const root = process.cwd()

const manifests = async () => {
  const members = ["packages", "apps"].map(async (folder) =>
    (await readdir(join(root, folder))).map((name) => join(folder, name, "package.json"))
  )
  return ["package.json", "pnpm-workspace.yaml", ".changeset", ...(await Promise.all(members)).flat()]
}

const author = ["-c", "user.name=check", "-c", "user.email=check@localhost", "-c", "commit.gpgsign=false"]

const steps = [
  ["git", "init", "--quiet", "--initial-branch=main"],
  ["git", "add", "--all"],
  ["git", ...author, "commit", "--quiet", "--message=manifests"],
  ["changeset", "status"]
]

await inTemporaryFolder("notes", async (folder) => {
  for (const path of await manifests()) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    // A folder without a manifest is not a package.
    await cp(join(root, path), join(folder, path), { recursive: true }).catch(() => undefined)
  }
  for (const [program = "", ...args] of steps) {
    const { code, output } = await run(program, args, { cwd: folder })
    if (code === 0) continue
    process.stdout.write(output)
    process.exitCode = 1
    return
  }
})
