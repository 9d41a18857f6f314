import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { repository, run } from "../../Command.ts"
import { published } from "../../Packages.ts"
import { pack, publishedPackages } from "../../Tarballs.ts"

/** The oldest Node that the packages support. */
const oldest = "22.19.0"

const current = process.versions.node.split(".")[0] ?? ""

const succeed = async (program: string, args: ReadonlyArray<string>, cwd: string, env: Record<string, string> = {}) => {
  const { code, output } = await run(program, args, { cwd, env })
  assert.strictEqual(code, 0, `${program} ${args.join(" ")}\n${output}`)
  return output
}

const npm = (args: ReadonlyArray<string>, cwd: string) => succeed("npm", ["--loglevel=error", ...args], cwd)

const install = (packages: ReadonlyArray<string>, cwd: string) =>
  npm(["install", "--no-audit", "--no-fund", "--prefer-offline", "--save-exact", ...packages], cwd)

const oldNode = async () => {
  const folder = join(repository, "node_modules", ".cache", `node-${oldest}`)
  const binary = join(folder, "node_modules", ".bin", "node")
  const works = await run(binary, ["--version"], { cwd: repository })
  if (works.code === 0) return binary
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, allowScripts: { node: true } }))
  await install([`node@${oldest}`], folder)
  return binary
}

const answers: Readonly<Record<string, readonly [number, unknown]>> = {
  "/v2/cex/exchanges": [200, [{ name: "Stub", id: "stub" }]],
  "/v2/cex/stub/BTC-USD/trades": [
    200,
    {
      exchange: "stub",
      market: "BTC/USD",
      trades: [{ id: "1", timestamp: "1767323045678", price: 50_000.5, size: 0.1, cost: 5000.05, side: "buy" }]
    }
  ],
  "/v2/cex/nowhere/BTC-USD/lasttrade": [
    404,
    {
      type: "/problems/exchange-not-found",
      title: "Exchange not found",
      status: 404,
      detail: 'There is no exchange "nowhere".',
      code: "exchange-not-found",
      exchange: "nowhere"
    }
  ]
}

const consumer = join(import.meta.dirname, "consumer")

const declared = await readdir(join(consumer, "declared"))

let project = ""
let server: Server

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), "chaintape-consumer-"))
  server = createServer((request, response) => {
    const [status, body] = answers[(request.url ?? "").split("?")[0] ?? ""] ?? [500, {}]
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  await succeed("turbo", ["run", "build"], repository)
  await writeFile(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }))
  const tarballs: Array<string> = []
  for (const name of names) tarballs.push(await pack(repository, name, project))
  await install([...tarballs, "effect@4.1.0"], project)
  await cp(consumer, project, { recursive: true })
}, 600_000)

afterAll(async () => {
  server.close()
  await rm(project, { recursive: true, force: true })
})

const files = async (name: string) => {
  const listed = await succeed("tar", ["-tf", join(project, `${name}.tgz`)], project)
  return listed
    .trim()
    .split("\n")
    .map((path) => path.replace(/^package\//, ""))
}

interface Installed {
  readonly dependencies?: Readonly<Record<string, Installed>>
}

const isInstalled = (value: unknown): value is Installed => typeof value === "object" && value !== null

const names = await publishedPackages(repository)

describe("a published package", { timeout: 180_000 }, () => {
  it("is one that the scripts list", () => assert.sameMembers([...names], [...published]))

  it.each(names)("%s holds its license, and in dist exactly what its sources make", async (name) => {
    const packed = await files(name)
    assert.include(packed, "LICENSE")
    const modules = (folder: string, ending: string) =>
      packed
        .filter((path) => path.startsWith(`${folder}/`) && path.endsWith(ending))
        .map((path) => path.slice(folder.length + 1, -ending.length))
        .sort()
    const sources = modules("src", ".ts")
    assert.isNotEmpty(sources)
    assert.deepStrictEqual(modules("dist", ".js"), sources)
    assert.deepStrictEqual(modules("dist", ".d.ts"), sources)
    assert.isEmpty(
      packed.filter((path) => !/^(LICENSE|README\.md|CHANGELOG\.md|package\.json|(src|dist)\/.+)$/.test(path))
    )
  })

  it.each(names)("%s resolves to dist under every condition, and needs nothing of this repository", async (name) => {
    const manifest = await succeed("tar", ["-xOf", join(project, `${name}.tgz`), "package/package.json"], project)
    assert.notMatch(manifest, /chaintape-source|workspace:|catalog:/)
    const parsed: unknown = JSON.parse(manifest)
    assert.deepNestedInclude(parsed, {
      license: "MIT",
      sideEffects: false,
      "engines.node": ">=22.19",
      "publishConfig.access": "public"
    })
  })
})

describe("a project with the published packages", { timeout: 180_000 }, () => {
  it("has no dependencies but effect and core", async () => {
    const tree: unknown = JSON.parse(await npm(["ls", "--all", "--json"], project))
    assert.isTrue(isInstalled(tree))
    const top = isInstalled(tree) ? (tree.dependencies ?? {}) : {}
    const own = Object.keys(top).filter((name) => name !== "effect")
    assert.deepStrictEqual(
      own,
      names.map((name) => `@chaintape/${name}`)
    )
    for (const name of own) {
      const dependencies = Object.keys(top[name]?.dependencies ?? {})
      assert.deepStrictEqual(dependencies, name === "@chaintape/core" ? ["effect"] : ["@chaintape/core", "effect"])
    }
  })

  it("has one copy of effect, that of the project", async () => {
    const listed = await npm(["ls", "effect", "--all", "--parseable"], project)
    assert.deepStrictEqual(listed.trim().split("\n").length, 1, listed)
  })

  const compile = async (file: string) => {
    const options = { strict: true, module: "nodenext", target: "es2024", skipLibCheck: true, declaration: true }
    const types = [join(repository, "node_modules", "@types", "node")]
    const compilerOptions = { ...options, types, rootDir: ".", outDir: "out" }
    await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }))
    await succeed("tsc", ["-p", "tsconfig.json"], project)
  }

  it("compiles", async () => {
    await compile("program.ts")
    assert.include(await readFile(join(project, "out", "program.js"), "utf8"), "@chaintape/cex")
  })

  // Each alone: an import of one module lets TypeScript name what another one returns.
  it.each(declared)("can export what %s exports, without a type annotation", async (file) => {
    await compile(join("declared", file))
    const declarations = await readFile(join(project, "out", "declared", file.replace(/ts$/, "d.ts")), "utf8")
    assert.notInclude(declarations, "/dist/")
  })

  const versions: ReadonlyArray<readonly [string, () => Promise<string>, ReadonlyArray<string>]> = [
    [current, async () => process.execPath, []],
    [current, async () => process.execPath, ["--conditions=chaintape-source"]],
    ["22", oldNode, []]
  ]
  it.each(versions)("runs on Node %s", { timeout: 300_000 }, async (version, node, flags) => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const output = await succeed(await node(), [...flags, join("out", "program.js")], project, {
      CHAINTAPE_BASE_URL: `http://127.0.0.1:${port}`
    })
    assert.deepStrictEqual(JSON.parse(output), {
      exchanges: ["stub"],
      prices: ["50000.5"],
      missing: "no nowhere",
      isHidden: true,
      promised: ["2026-01-02T03:04:05.678Z"],
      tested: "7",
      hasFaults: true,
      node: version,
      core: true
    })
  })
})
