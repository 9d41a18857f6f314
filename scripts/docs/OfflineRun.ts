/**
 * Runs programs one after the other in this process, without network: `node scripts/docs/OfflineRun.ts FILE...`. For each
 * failure it writes a line in the form of a compiler error, and exits with 1.
 */
import { Socket } from "node:net"
import { basename } from "node:path"
import { pathToFileURL } from "node:url"

const longest = 60_000
const said: Array<string> = []
const report = (file: string, text: string) => said.push(`${basename(file)}(1,1): ${text.replaceAll("\n", " ")}`)

const end = () => {
  process.stdout.write(`${said.join("\n")}\n`, () => process.exit(said.length === 0 ? 0 : 1))
}

const refuse = () => {
  throw new Error("An example must not use the network.")
}
globalThis.fetch = refuse
Socket.prototype.connect = refuse

const isLate = Symbol("late")

const runs = async (file: string) => {
  const late = new Promise<typeof isLate>((resolve) => setTimeout(resolve, longest, isLate).unref())
  try {
    const ended = await Promise.race([import(pathToFileURL(file).href), late])
    if (ended === isLate) report(file, `it did not end within ${longest / 1000} s`)
  } catch (error) {
    report(file, error instanceof Error ? `${error.name}: ${error.message}` : String(error))
  }
}

let running = ""
process.on("unhandledRejection", (error) => report(running, `unhandled: ${String(error)}`))
process.on("beforeExit", () => {
  // The event loop is empty, although the program still waits.
  report(running, "it waits for something that never happens")
  end()
})
for (const file of process.argv.slice(2)) {
  running = file
  await runs(file)
}
end()
