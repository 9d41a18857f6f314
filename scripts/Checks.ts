import { join } from "node:path"
import { type Check, command, failed, passed } from "./Check.ts"
import { run } from "./Command.ts"
import { releaseNotes } from "./ReleaseNotes.ts"
import { pack, publishedPackages } from "./Tarballs.ts"
import { inTemporaryFolder } from "./TemporaryFolder.ts"

export const format = command("format (oxfmt)", "oxfmt", () => ["--check"])

export const lint = command("lint and directions (oxlint)", "oxlint", () => [])

export const types = command("types (tsc)", "tsc", (root) => ["-p", join(root, "tsconfig.json")])

/** Of a page: its types are those of a browser. */
export const demoTypes = command("types of the demo (tsc)", "tsc", (root) => [
  "-p",
  join(root, "apps/demo/tsconfig.json")
])

/** Without the plugin entry in the tsconfig the program checks no file and still ends with 0. */
export const effectDiagnostics = command(
  "Effect diagnostics (effect-tsgo)",
  "effect-tsgo",
  (root) => [
    "diagnostics",
    "--project",
    join(root, "tsconfig.json"),
    "--format",
    "text",
    "--severity",
    "error,warning",
    "--strict"
  ],
  (output) => /^Checked [1-9]\d* files/m.test(output)
)

export const unused = command("unused files, exports and dependencies (knip)", "knip", () => ["--no-progress"])

export const boundaries = command(
  "boundaries of the packages (turbo)",
  "turbo",
  () => ["boundaries", "--no-color"],
  (output) => /Checked [1-9]\d* files/.test(output)
)

export const build = command("build of the packages (turbo, tsc)", "turbo", () => ["run", "build", "--no-color"])

/** A check of every packed tarball. */
const tarballs = (title: string, program: string, args: (tarball: string) => ReadonlyArray<string>): Check => ({
  title,
  judge: (root) =>
    inTemporaryFolder("packed", async (folder) => {
      const findings: Array<string> = []
      for (const name of await publishedPackages(root)) {
        const { code, output } = await run(program, args(await pack(root, name, folder)), { cwd: folder })
        if (code !== 0) findings.push(`${name}:\n${output}`)
      }
      return findings.length === 0 ? passed : failed(findings.join("\n"))
    })
})

export const publint = tarballs("packed packages (publint)", "publint", (tarball) => ["run", tarball, "--strict"])

export const attw = tarballs("types of the packed packages (attw)", "attw", (tarball) => [
  tarball,
  "--profile",
  "esm-only",
  "--no-color",
  "--no-emoji"
])

export const checks: ReadonlyArray<Check> = [
  format,
  lint,
  types,
  demoTypes,
  effectDiagnostics,
  unused,
  boundaries,
  releaseNotes,
  build,
  publint,
  attw
]
