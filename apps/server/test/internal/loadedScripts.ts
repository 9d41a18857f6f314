/** Loaded before a program: on SIGUSR2 it writes the addresses of all scripts to the file that `LOADED_SCRIPTS` names. */
import { writeFileSync } from "node:fs"
import { Session } from "node:inspector"
import { isMainThread } from "node:worker_threads"

const file = process.env["LOADED_SCRIPTS"] ?? ""
if (file !== "" && isMainThread) {
  const session = new Session()
  const scripts: Array<string> = []
  session.connect()
  session.on("Debugger.scriptParsed", ({ params }) => scripts.push(params.url))
  session.post("Debugger.enable")
  process.on("SIGUSR2", () => writeFileSync(file, JSON.stringify(scripts)))
}
