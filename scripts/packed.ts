import { run } from "./Command.ts"
/** Packs each published package as for npm, and checks the tarball with publint and attw. */
import { pack, publishedPackages } from "./Tarballs.ts"
import { inTemporaryFolder } from "./TemporaryFolder.ts"

const root = process.cwd()

/** The problems that publint and attw report for a tarball. */
const findings = async (name: string, folder: string): Promise<ReadonlyArray<string>> => {
  const tarball = await pack(root, name, folder)
  const results = await Promise.all([
    run("publint", ["run", tarball, "--strict"], { cwd: folder }),
    run("attw", [tarball, "--profile", "esm-only", "--no-color", "--no-emoji"], { cwd: folder })
  ])
  return results.flatMap(({ code, output }) => (code === 0 ? [] : [`${name}:\n${output}`]))
}

await inTemporaryFolder("packed", async (folder) => {
  for (const name of await publishedPackages(root)) {
    for (const finding of await findings(name, folder)) {
      process.stdout.write(finding)
      process.exitCode = 1
    }
  }
})
