import process from "node:process"
import "effect/schema/SchemaJITCompiler/enable"
import { ConfigProvider, Effect, Runtime, Schema } from "effect"
import { commandLine } from "../../src/cli/CommandLine.ts"

/**
 * Runs command lines like main.ts, one after the other in one process: loading the program takes most of a command's
 * time. Each message of the parent is a command line, and is answered by its output and its exit code.
 */
const Given = Schema.Struct({
  words: Schema.Array(Schema.String),
  cwd: Schema.String,
  environment: Schema.Record(Schema.String, Schema.String)
})
const decode = Schema.decodeUnknownSync(Given)

const program = process.argv.slice(0, 2)

/** Captures what is written to the stream, and returns it at the end. */
const captured = (stream: NodeJS.WriteStream) => {
  const write = stream.write
  const parts: Array<Buffer> = []
  const keep = (part: string | Uint8Array, second?: unknown, third?: unknown) => {
    parts.push(Buffer.from(part))
    for (const done of [second, third]) if (typeof done === "function") done()
    return true
  }
  stream.write = keep
  return () => {
    stream.write = write
    return Buffer.concat(parts).toString("utf8")
  }
}

const run = ({ cwd, environment, words }: typeof Given.Type) =>
  new Promise<void>((resolve) => {
    process.chdir(cwd)
    process.argv = [...program, ...words]
    const [stdout, stderr] = [captured(process.stdout), captured(process.stderr)]
    const runMain = Runtime.makeRunMain(({ fiber, teardown }) => {
      fiber.addObserver((exit) =>
        teardown(exit, (code) => {
          process.send?.({ code, stdout: stdout(), stderr: stderr() })
          resolve()
        })
      )
    })
    const provider = ConfigProvider.fromEnv({ env: environment })
    runMain(Effect.provideService(commandLine, ConfigProvider.ConfigProvider, provider))
  })

let last = Promise.resolve()
process.on("message", (message) => {
  const given = decode(message)
  last = last.then(() => run(given))
})
process.on("disconnect", () => process.exit())
