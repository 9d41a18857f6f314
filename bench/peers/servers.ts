/** A server that sends the given bytes from memory: `node|fastify|hono FILE`. */
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import { serve } from "@hono/node-server"
import fastify from "fastify"
import { Hono } from "hono"

interface Sent {
  /** The path with `:names` for its parameters. */
  readonly template: string
  readonly pattern: string
  readonly headers: Record<string, string>
  readonly bodyFile: string
}

const [kind = "", file = ""] = process.argv.slice(2)
const routes = (JSON.parse(readFileSync(file, "utf8")) as ReadonlyArray<Sent>).map((sent) => ({
  ...sent,
  body: readFileSync(sent.bodyFile)
}))
const host = "127.0.0.1"
const announce = (port: number) => process.send?.({ port })

const node = () => {
  const patterns = routes.map((route) => ({ ...route, pattern: new RegExp(route.pattern) }))
  const server = createServer((request, response) => {
    const path = request.url?.split("?", 1)[0] ?? ""
    const found = patterns.find(({ pattern }) => pattern.test(path))
    if (found === undefined) return response.writeHead(404).end()
    return response.writeHead(200, found.headers).end(found.body)
  })
  server.listen(0, host, () => announce((server.address() as { readonly port: number }).port))
}

const withFastify = async () => {
  const app = fastify()
  for (const { body, headers, template } of routes) app.get(template, (_, reply) => reply.headers(headers).send(body))
  await app.listen({ host, port: 0 })
  announce((app.server.address() as { readonly port: number }).port)
}

const withHono = () => {
  const app = new Hono()
  for (const { body, headers, template } of routes) app.get(template, (context) => context.body(body, 200, headers))
  serve({ fetch: app.fetch, hostname: host, port: 0 }, ({ port }) => announce(port))
}

process.once("disconnect", () => process.exit(0))
if (kind === "node") node()
else if (kind === "fastify") await withFastify()
else withHono()
