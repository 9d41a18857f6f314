import { cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs"
import { constants, setPriority } from "node:os"
import { fileURLToPath } from "node:url"
import { build } from "vite"

/**
 * Builds the demo into a folder beside `dist` and then renames it, so that a running service never reads an incomplete
 * build.
 */
const root = fileURLToPath(new URL("../", import.meta.url))
const dist = `${root}dist`

mkdirSync(`${root}node_modules/.cache`, { recursive: true })
const made = mkdtempSync(`${root}node_modules/.cache/dist-`)

const giveUp = (): never => {
  rmSync(made, { recursive: true, force: true })
  process.exit(1)
}

// Another service may have built it meanwhile. This process may also be killed.
if (process.env["DEMO_ATTACHED"] === "true") {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  process.stdin.on("end", giveUp).resume()
}
process.once("SIGTERM", giveUp)

try {
  await build({ root, logLevel: "warn", build: { outDir: made, emptyOutDir: true } })
  mkdirSync(`${dist}/assets`, { recursive: true })
  cpSync(`${made}/assets`, `${dist}/assets`, { recursive: true })
  renameSync(`${made}/index.html`, `${dist}/index.html`)
  const current = new Set(readdirSync(`${made}/assets`))
  for (const name of readdirSync(`${dist}/assets`)) if (!current.has(name)) rmSync(`${dist}/assets/${name}`)
} finally {
  rmSync(made, { recursive: true, force: true })
}
process.exit(0)
