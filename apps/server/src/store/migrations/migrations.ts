import { readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"

const folder = import.meta.dirname

const readStatements = (file: string) =>
  readFileSync(join(folder, file), "utf8")
    .split(/;\s*$/m)
    .filter((statement) => statement !== "")

/**
 * The statements of each file below, by its name, in the order of the numbers. A migration that has run anywhere is never
 * edited. A new one takes the next number, in `dex-index/` if its tables are those of the index (`dex_...`), and otherwise here.
 */
export const migrations: Readonly<Record<string, ReadonlyArray<string>>> = Object.fromEntries(
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".sql"))
    .map((file) => [basename(file, ".sql"), readStatements(file)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
)
