/** A service for the programs of a newcomer: one market with 60 trades, and live trades over a connection that dies. */
import { createServer, type ServerResponse } from "node:http"

const start = Date.parse("2026-01-02T00:00:00Z")
const tape = Array.from({ length: 60 }, (_, index) => ({ id: String(index), at: start + index * 1000 }))

/** As text, because no double has these digits. */
const toRow = ({ at, id }: { readonly id: string; readonly at: number }) =>
  `{"id":"${id}","timestamp":"${at}","price":10.000000000000000001,"size":0.1,"cost":1.0000000000000000001,"side":"buy"}`

const problem = (response: ServerResponse, status: number, code: string, detail: string, further: object = {}) => {
  const body = { type: `/problems/${code}`, title: code, status, detail, code, ...further }
  response.writeHead(status, { "content-type": "application/problem+json" }).end(JSON.stringify(body))
}

export const newcomerService = async () => {
  let killed = 0
  /** Trades that happen while the live stream runs, and after it has died. */
  const later = [
    { id: "live-1", at: start + 61_000 },
    { id: "live-2", at: start + 62_000 },
    { id: "last", at: start + 63_000 }
  ]
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://stub")
    const key = request.headers["api-key"]
    if (key === undefined) return problem(response, 401, "missing-api-key", "The request has no key: send apiKey.")
    if (key === "wrong") return problem(response, 401, "invalid-api-key", "The key is unknown.")
    if (key === "busy") return problem(response, 429, "rate-limited", "Too many requests.", { retryAfterMs: 1500 })
    if (pathname.startsWith("/v2/cex/stub/NO-PE")) {
      const named = { exchange: "stub", market: "NO/PE" }
      return problem(response, 404, "market-not-found", 'There is no "NO/PE".', named)
    }
    if (pathname === "/v2/cex/stub/BTC-USD/lasttrade") {
      const trade = { id: "1", timestamp: "1767323045678", price: 50_000.5, size: 0.1, cost: 5000.05, side: "buy" }
      const body = JSON.stringify({ exchange: "stub", market: "BTC/USD", ...trade })
      return response
        .writeHead(200, { "content-type": "application/json", "access-control-allow-origin": "*" })
        .end(body)
    }
    if (pathname.startsWith("/live/")) {
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write("event: open\nid: s0\ndata: {}\n\n")
      for (const trade of later.slice(0, 2)) response.write(`event: trade\nid: ${trade.id}\ndata: ${toRow(trade)}\n\n`)
      setTimeout(() => {
        killed++
        response.destroy()
      }, 50)
      return undefined
    }
    const since = Number(searchParams.get("since") ?? 0)
    const known = killed > 0 ? [...tape, ...later] : tape
    const rows = known.filter(({ at }) => at >= since).slice(0, Number(searchParams.get("limit") ?? 200))
    const headers = { "content-type": "application/json", "chaintape-coverage": `complete=?1, from=${since}` }
    return response
      .writeHead(200, headers)
      .end(`{"exchange":"stub","market":"BTC/USD","trades":[${rows.map(toRow).join(",")}]}`)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    address: `http://127.0.0.1:${port}`,
    killed: () => killed,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
