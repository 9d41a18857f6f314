/** Decoding of large responses by the client, compared with JSON.parse and other libraries, each in its own process. */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { poolsText, tradesText } from "./DecodingTexts.ts"
import { median } from "./Measure.ts"

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const installs = source("../artifacts/bench")
const child = source("./DecodingChild.ts")

/** Installs the peers beside packages of their own, outside the workspace, at the first use. */
const install = (): string => {
  const folder = join(installs, "decoding")
  mkdirSync(folder, { recursive: true })
  cpSync(source("./Measure.ts"), join(installs, "Measure.ts"))
  for (const name of ["package.json", "peers.ts"]) cpSync(source(`./decoding/${name}`), join(folder, name))
  if (!existsSync(join(folder, "node_modules/zod"))) {
    console.log(`  installing zod, valibot, typebox and ajv into ${folder}`)
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder, stdio: "inherit" })
  }
  return join(folder, "peers.ts")
}

const enabled = ["--import", "effect/schema/SchemaJITCompiler/enable"]
const forbidden = ["--disallow-code-generation-from-strings"]

interface Candidate {
  readonly label: string
  readonly program: string
  readonly name: string
  /** Node arguments for a process that may generate code, and for one that may not. */
  readonly modes: ReadonlyArray<readonly [mode: string, flags: ReadonlyArray<string>]>
}

const both = (flags: ReadonlyArray<string> = []): Candidate["modes"] => [
  ["allowed", flags],
  ["forbidden", forbidden]
]

const candidates = (peers: string): ReadonlyArray<Candidate> => [
  { label: "@chaintape/core", program: child, name: "core", modes: both(enabled) },
  { label: "Effect's Schema alone", program: child, name: "effect", modes: both(enabled) },
  { label: "zod", program: peers, name: "zod", modes: both() },
  { label: "valibot", program: peers, name: "valibot", modes: both() },
  { label: "typebox, checks only", program: peers, name: "typebox", modes: both() },
  { label: "ajv, checks only", program: peers, name: "ajv", modes: [["allowed", []]] }
]

const measure = (program: string, flags: ReadonlyArray<string>, args: ReadonlyArray<string>): number => {
  const options = { cwd: source("."), encoding: "utf8" } as const
  const out = execFileSync(process.execPath, ["--conditions=chaintape-source", ...flags, program, ...args], options)
  const [parse, decode] = out.trim().slice(1, -1).split(",").map(Number)
  if (parse === undefined || decode === undefined) throw new Error(`A candidate said "${out}".`)
  return decode / parse
}

const compare = (title: string, kind: string, text: string, rounds: number, peers: string): void => {
  const folder = mkdtempSync(join(tmpdir(), "chaintape-bench-"))
  const file = join(folder, "answer.json")
  writeFileSync(file, text)
  console.log(
    `\n${title}, ${(text.length / 1e6).toFixed(1)} MB: processor time of JSON.parse and decoding, as a ratio to JSON.parse alone`
  )
  const runs = Number(process.env["BENCH_ROUNDS"] ?? 5)
  const ratios = new Map<string, Array<number>>()
  try {
    for (let run = 0; run < runs; run++) {
      for (const { label, modes, name, program } of candidates(peers)) {
        for (const [mode, flags] of modes) {
          const row = `${label.padEnd(24)} code generation ${mode.padEnd(9)}`
          const ratio = measure(program, flags, [kind, name, file, String(rounds)])
          ratios.set(row, [...(ratios.get(row) ?? []), ratio])
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  for (const [row, all] of ratios) {
    const [least, most] = [Math.min(...all), Math.max(...all)]
    console.log(`  ${row} ${median(all).toFixed(2)}x  (${least.toFixed(2)} to ${most.toFixed(2)})`)
  }
  console.log(
    `  Medians of ${runs} processes with ${rounds} rounds; load of the machine ${(loadavg()[0] ?? 0).toFixed(1)}`
  )
}

export const decoding = (): void => {
  const peers = install()
  compare("Decoding 50,000 trades", "trades", tradesText(50_000), 15, peers)
  compare("Decoding 1,000 pools", "pools", poolsText(1000), 60, peers)
}
