/** Programs of a newcomer, compiled and run against the packed packages in a project of their own. */
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rolldown } from "rolldown"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { repository, run } from "../../Command.ts"
import { pack, publishedPackages } from "../../Tarballs.ts"
import { newcomerService } from "./NewcomerService.ts"

const succeed = async (program: string, args: ReadonlyArray<string>, cwd: string, env: Record<string, string> = {}) => {
  const { code, output } = await run(program, args, { cwd, env })
  assert.strictEqual(code, 0, `${program} ${args.join(" ")}\n${output}`)
  return output.trim()
}

const install = (packages: ReadonlyArray<string>, cwd: string) =>
  succeed("npm", ["--loglevel=error", "install", "--no-audit", "--no-fund", "--prefer-offline", ...packages], cwd)

/** A program of a package of the registry, installed once. */
const installed = async (name: string, version: string) => {
  const folder = join(repository, "node_modules", ".cache", `${name}-${version}`)
  const binary = join(folder, "node_modules", ".bin", name === "typescript" ? "tsc" : name)
  if ((await run(binary, ["--version"], { cwd: repository })).code === 0) return binary
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, allowScripts: { [name]: true } }))
  await install([`${name}@${version}`], folder)
  return binary
}

let project = ""
let service: Awaited<ReturnType<typeof newcomerService>>
const settings = () => ({ CHAINTAPE_BASE_URL: service.address, CHAINTAPE_API_KEY: "good" })

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "chaintape-newcomer-"))
  service = await newcomerService()
  await succeed("turbo", ["run", "build"], repository)
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }))
  const tarballs: Array<string> = []
  for (const name of await publishedPackages(repository)) tarballs.push(await pack(repository, name, project))
  await install([...tarballs, "effect@4.1.0"], project)
  await cp(join(import.meta.dirname, "newcomer"), join(project, "src"), { recursive: true })
  const options = { strict: true, exactOptionalPropertyTypes: true, declaration: true, skipLibCheck: false }
  const compilerOptions = { ...options, module: "nodenext", target: "es2024", outDir: "out", rootDir: "src" }
  const types = [join(repository, "node_modules", "@types", "node")]
  await writeFile(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...compilerOptions, types }, include: ["src"] })
  )
  await succeed("tsc", ["-p", "tsconfig.json"], project)
}, 600_000)

afterAll(async () => {
  service.close()
  await rm(project, { recursive: true, force: true })
})

const node = (name: string, ...args: ReadonlyArray<string>) =>
  succeed(process.execPath, [join("out", `${name}.js`), ...args], project, settings())

const plain = "50000.5 at 2026-01-02T03:04:05.678Z"

describe("a newcomer's program", { timeout: 300_000 }, () => {
  it("compiles with TypeScript 5.9 too, which checks the declarations of the packages as well", async () => {
    const output = await succeed(await installed("typescript", "5.9.3"), ["-p", "tsconfig.json", "--noEmit"], project)
    assert.strictEqual(output, "")
  })

  it("sums a market exactly, over an interruption", async () => {
    // 60 trades of 0.1 at 10.000000000000000001: no double has these digits.
    assert.strictEqual(await node("effect-service"), "60.000000000000000006 / 6")
  })

  it("is tested against a storm of 429, an outage and a gap", async () => {
    assert.strictEqual(await node("effect-tests"), "tested")
  })

  it("runs on Node", async () => assert.strictEqual(await node("plain"), plain))

  it.each([
    ["bun", "1.4.5", []],
    ["deno", "2.9.6", ["run", "--allow-net", "--allow-env"]]
  ] as const)("runs on %s %s", async (name, version, args) => {
    const binary = await installed(name, version)
    const env = { ...settings(), DENO_NO_UPDATE_CHECK: "1" }
    assert.strictEqual(await succeed(binary, [...args, join("out", "plain.js")], project, env), plain)
  })

  it("is one file for a browser, which uses no module of Node", async () => {
    const building = await rolldown({
      input: join(project, "out", "plain.js"),
      platform: "browser",
      logLevel: "silent",
      cwd: project
    })
    const { output } = await building.write({ file: join(project, "browser.mjs"), format: "esm", minify: true })
    await building.close()
    assert.deepStrictEqual(output[0].imports, [])
    assert.isBelow(Buffer.byteLength(output[0].code), 250_000)
    assert.strictEqual(await succeed(process.execPath, ["browser.mjs"], project, settings()), plain)
  })

  const failures: ReadonlyArray<readonly [string, string, RegExp]> = [
    ["wrong-key", "InvalidApiKey", /^The key is unknown/],
    ["wrong-market", "MarketNotFound", /^There is no "NO\/PE"/],
    ["misspelt-option", "TypeError", /^"apikey" is not an option of createClient: it has baseUrl, apiKey/],
    [
      "server-down",
      "TransportError",
      /at http:\/\/127\.0\.0\.1:1\/v2\/cex\/stub\/BTC-USD\/lasttrade had no complete response: /
    ],
    ["too-many", "RateLimited", /^Too many requests/],
    ["no-key", "MissingApiKey", /^The request has no key/]
  ]
  it.each(failures)("says what is wrong: %s", async (name, tag, message) => {
    const report: unknown = JSON.parse(await node("failures", name))
    assert.deepInclude(report, { name: tag, isMine: true, isRetryable: ["server-down", "too-many"].includes(name) })
    assert.match(String(Object(report).message), message)
    if (name === "too-many") assert.deepInclude(report, { waits: 1500 })
    if (name === "no-key") assert.deepInclude(report, { isMissing: true })
  })

  it("recovers by itself when the connection of a live stream is lost", async () => {
    assert.deepStrictEqual(JSON.parse(await node("killed")), { count: 63, distinct: 63 })
    assert.isAbove(service.killed(), 0)
  })
})
