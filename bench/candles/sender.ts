/** A bare `node:http` server that sends the given responses from memory, by path and query: `sender.ts FILE`. */
import { readFileSync } from "node:fs"
import { createServer } from "node:http"

interface Sent {
  readonly path: string
  readonly headers: Record<string, string>
  readonly bodyFile: string
}

const [file = ""] = process.argv.slice(2)
const responses = new Map(
  (JSON.parse(readFileSync(file, "utf8")) as ReadonlyArray<Sent>).map(({ bodyFile, headers, path }) => [
    path,
    { headers, body: readFileSync(bodyFile) }
  ])
)

process.once("disconnect", () => process.exit(0))
const server = createServer((request, response) => {
  const found = responses.get(request.url ?? "")
  if (found === undefined) return response.writeHead(404).end()
  return response.writeHead(200, found.headers).end(found.body)
})
server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as { readonly port: number }).port }))
