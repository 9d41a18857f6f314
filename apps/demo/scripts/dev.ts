import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { createServer } from "vite"

/**
 * Runs the service, restarted when its files change, and Vite with hot reloading in front of it. The key in the link
 * that the service prints works at Vite's address as well.
 */
const workspace = fileURLToPath(new URL("../../../", import.meta.url))

const service = spawn(
  process.execPath,
  ["--watch", "--conditions=chaintape-source", `${workspace}apps/server/src/main.ts`],
  { cwd: workspace, stdio: "inherit" }
)

const vite = await createServer({ root: `${workspace}apps/demo` })
await vite.listen()
vite.printUrls()

const end = (): void => {
  service.kill("SIGTERM")
  void vite.close().then(() => process.exit(0))
}
process.once("SIGINT", end)
process.once("SIGTERM", end)
