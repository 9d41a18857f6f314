/** The container image, made without Docker: its files are enough for the service, the demo and the commands. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { repository, run } from "../../Command.ts"
import { type ImageFolder, makeImageFolder } from "./ImageFolder.ts"

let root = ""
let image: ImageFolder
let service: ChildProcess | undefined

const environment = () => ({
  PATH: process.env["PATH"],
  HOME: root,
  CHAINTAPE_DATA_DIR: join(root, "data"),
  HOST: "127.0.0.1",
  PORT: "0",
  METRICS_PORT: "0"
})

const start = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const [, ...args] = image.entrypoint
    const started = spawn(process.execPath, args, { cwd: image.workdir, env: environment() })
    service = started
    let output = ""
    for (const stream of [started.stdout, started.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString()
        const [, origin] = /^Chaintape is ready at (\S+)$/m.exec(output) ?? []
        if (origin !== undefined) resolve(origin)
      })
    started.once("exit", (code) => reject(new Error(`The service ended with ${code}:\n${output}`)))
  })

const stop = async () => {
  if (service === undefined || service.exitCode !== null) return
  const ended = new Promise((resolve) => service?.once("exit", resolve))
  service.kill("SIGTERM")
  await ended
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "chaintape-image-"))
  image = await makeImageFolder(repository, join(repository, "deploy", "Dockerfile"), root)
}, 300_000)

afterAll(async () => {
  await stop()
  await rm(root, { recursive: true, force: true })
})

describe("the image", { timeout: 120_000 }, () => {
  it("runs the service with the demo, and its commands on the same data", async () => {
    const origin = await start()
    assert.strictEqual((await fetch(`${origin}/ping`)).status, 200)
    const page = await (await fetch(origin, { headers: { accept: "text/html" } })).text()
    const [, script = ""] = /<script[^>]+src="([^"]+)"/.exec(page) ?? []
    assert.match(script, /^\/.+\.js$/)
    assert.strictEqual((await fetch(`${origin}${script}`)).status, 200)
    await stop()
    const [, ...args] = image.entrypoint
    const list = await run(process.execPath, [...args, "keys", "list"], { cwd: image.workdir, env: environment() })
    assert.strictEqual(list.code, 0, list.output)
    assert.match(list.output, /^ID +STATE /)
  })
})
