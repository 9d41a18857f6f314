import { globSync } from "node:fs"
import { dirname, join, matchesGlob, relative } from "node:path"
import { defineConfig, type OxlintOverride } from "oxlint"
import { betweenPackages, type Direction, inServer, serverFolders } from "./scripts/Directions.ts"

const names = Object.keys(serverFolders)
const top = (name: string) => name.split("/")[0] ?? name

/** A row for each folder of the server: it forbids the other ones. */
const betweenFolders = Object.entries(serverFolders).map(([name, { imports, says }]): Direction => ({
  of: [`${name}/**`],
  except: names.filter((inner) => inner.startsWith(`${name}/`)).map((inner) => `${inner}/**`),
  not: names
    .filter((other) => other === top(other) && ![...imports, top(name), "internal"].includes(other))
    .map((other) => `${other}/`),
  says
}))

const serverSource = "apps/server/src"
const fromServer = (globs: ReadonlyArray<string> = []) => globs.map((glob) => `${serverSource}/${glob}`)

/** All rows. */
export const directions: ReadonlyArray<Direction> = [
  ...betweenPackages,
  ...[...betweenFolders, ...inServer].map((row) => ({ ...row, of: fromServer(row.of), except: fromServer(row.except) }))
]

/** The relative paths of a folder of the server, as its files are imported from another one: up to any folder above both. */
const toRelativePaths = (from: string, folder: string): ReadonlyArray<string> => {
  const [inner, outer] = [relative(serverSource, from).split("/").filter(Boolean), folder.split("/")]
  const shared = inner.findIndex((name, at) => name !== outer[at])
  const ways = (shared === -1 ? inner.length : shared) + 1
  return Array.from({ length: ways }, (_, common) => {
    const up = "../".repeat(inner.length - common)
    return `${up === "" ? "./" : up}${outer.slice(common).join("/")}`
  })
}

/** `from` is the folder of the importing file. */
const regexOf = (name: string | RegExp, from: string) => {
  if (typeof name !== "string") return name.source
  if (name.endsWith("/") && from.startsWith(serverSource))
    return `^(${toRelativePaths(from, name).join("|").replaceAll(".", "\\.")})`
  if (name.endsWith("/")) return `^\\.{1,2}/(.*/)?${name}`
  if (name.endsWith(".ts")) return `(^|/)${name.replace(".", "\\.").replace("*", "[^/]*")}$`
  return `^${name}(/|$)`
}

/** As .gitignore has it, which can name what stays allowed: a regular expression of the linter can't look ahead. */
const groupOf = (names: ReadonlyArray<string | RegExp>) =>
  names.map(String).map((name) => (name.startsWith("!") ? `!**/${name.slice(1)}` : `**/${name}*`))

/** What is in an excluded folder is not included again: the scope of a package comes first. */
const allowed = (name: string) => {
  const [scope] = name.split("/")
  return name.startsWith("@") ? [`!${scope}`, `${scope}/*`, `!${name}`, `!${name}/**`] : [`!${name}`]
}

/** A row as a pattern of `no-restricted-imports` for the files of a folder. */
const patternOf = ({ but, not = [], only, says: message }: Direction, from: string) => {
  if (only !== undefined) return { group: ["*", ...only.flatMap(allowed), "!./**", "!../**"], message }
  if (not.some((name) => String(name).startsWith("!"))) return { group: groupOf(not), message }
  const regex = not.map((name) => regexOf(name, from)).join("|")
  return but === undefined ? { regex, message } : { regex, allowImportNames: [but], message }
}

/** Each folder of the server, because the relative path of another one depends on it. */
const inFolders = globSync(`${serverSource}/**/`, { cwd: import.meta.dirname }).map((folder) => join(folder, "*"))
const named = directions.flatMap(({ except = [], of }) => [...of, ...except])
const globs = [
  ...new Set([...named.filter((glob) => !glob.startsWith(serverSource) || !glob.endsWith("/**")), ...inFolders])
]
const covers = (wide: ReadonlyArray<string>, glob: string) => wide.some((one) => matchesGlob(glob, one))
const depth = (glob: string) => globs.filter((one) => covers([one], glob)).length

/** Of the overrides that match a file the last one holds. So a narrow glob comes later, with the rows of the wide ones. */
const overrides = globs
  .toSorted((one, other) => depth(one) - depth(other))
  .map((glob): OxlintOverride => {
    const rows = directions.filter(({ except = [], of }) => covers(of, glob) && !covers(except, glob))
    const patterns = rows.map((row) => patternOf(row, dirname(glob)))
    return { files: [glob], rules: { "no-restricted-imports": ["error", { patterns }] } }
  })

/** Time, randomness and output come from Effect, so that tests control them. */
export const globals = [
  { name: "console", message: "Write with Effect.log or Console; only an entry point prints." },
  { name: "performance", message: "Use Clock, so that tests control the time." },
  { name: "setImmediate", message: "Use Effect.yieldNow." },
  { name: "setInterval", message: "Use Effect.repeat with a Schedule, so that tests control the time." },
  { name: "setTimeout", message: "Use Effect.sleep, so that tests control the time." }
]

export const properties = [
  ...globals.map(({ message, name }) => ({ object: "globalThis", property: name, message })),
  { object: "Math", property: "random", message: "Use Random, so that tests control it." },
  { object: "Date", property: "now", message: "Use Clock, so that tests control the time." },
  {
    object: "Clock",
    property: "currentTimeNanos",
    message: "It follows the wall clock: what lasts or is due goes by the monotonic one."
  }
]

export default defineConfig({
  plugins: ["typescript", "unicorn", "oxc", "import", "node", "vitest"],
  categories: { correctness: "error", suspicious: "error" },
  options: { reportUnusedDisableDirectives: "error", denyWarnings: true },
  ignorePatterns: ["**/node_modules", "**/dist", "**/coverage", "**/artifacts"],
  rules: {
    "eslint/no-unused-vars": ["error", { ignoreRestSiblings: true, argsIgnorePattern: "^_", varsIgnorePattern: "^_" }],
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/consistent-type-imports": "error",
    "import/no-unassigned-import": "off",
    "no-await-in-loop": "off",
    "no-shadow": "off",
    "no-underscore-dangle": "off",
    "unicorn/consistent-function-scoping": "off",
    "unicorn/no-array-reverse": "off",
    "unicorn/no-array-sort": "off",
    "unicorn/prefer-add-event-listener": "off",
    // Only a window has a target origin: workers and channels, which are all that is used here, have none.
    "unicorn/require-post-message-target-origin": "off"
  },
  overrides: [
    {
      files: ["packages/*/src/**", "apps/*/src/**"],
      rules: {
        "typescript/consistent-type-assertions": ["error", { assertionStyle: "never" }],
        "no-restricted-globals": ["error", ...globals],
        "no-restricted-properties": ["error", ...properties]
      }
    },
    {
      // A cast is allowed here, with its reason beside it.
      files: ["packages/*/src/**/internal/**", "apps/*/src/**/internal/**", "apps/server/src/cex/ccxt/class/**"],
      rules: { "typescript/consistent-type-assertions": "off" }
    },
    {
      // Entry points speak to a terminal.
      files: ["apps/*/src/main.ts", "apps/*/src/**/main.ts"],
      rules: { "no-restricted-globals": "off", "no-restricted-properties": "off" }
    },
    ...overrides
  ]
})
