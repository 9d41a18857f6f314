import { cp, mkdir, readdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type Check, failed, passed } from "./Check.ts"
import { run } from "./Command.ts"
import { inTemporaryFolder } from "./TemporaryFolder.ts"

const manifests = async (root: string) => {
  const members = ["packages", "apps"].map(async (folder) =>
    (await readdir(join(root, folder))).map((name) => join(folder, name, "package.json"))
  )
  return ["package.json", "pnpm-workspace.yaml", ".changeset", ...(await Promise.all(members)).flat()]
}

const git = ["-c", "user.name=check", "-c", "user.email=check@localhost", "-c", "commit.gpgsign=false"]

/**
 * Whether the release notes name packages that exist. `changeset status` compares with the branch `main`, which a
 * checkout of one commit lacks: it runs in a repository of its own, made of the manifests and the notes.
 */
export const releaseNotes: Check = {
  title: "release notes (changesets)",
  judge: (root) =>
    inTemporaryFolder("notes", async (folder) => {
      for (const path of await manifests(root)) {
        await mkdir(dirname(join(folder, path)), { recursive: true })
        // A folder without a manifest is no package.
        await cp(join(root, path), join(folder, path), { recursive: true }).catch(() => undefined)
      }
      const steps = [
        ["git", "init", "--quiet", "--initial-branch=main"],
        ["git", "add", "--all"],
        ["git", ...git, "commit", "--quiet", "--message=manifests"],
        ["changeset", "status"]
      ]
      for (const [program = "", ...args] of steps) {
        const { code, output } = await run(program, args, { cwd: folder })
        if (code !== 0) return failed(output)
      }
      return passed
    })
}
