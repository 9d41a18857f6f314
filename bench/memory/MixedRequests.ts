import { Agent, get } from "node:http"

/** Each a path, or a path with headers. `N` is the number of the request. */
const kinds: ReadonlyArray<readonly [path: string, headers?: Readonly<Record<string, string>>]> = [
  ["/v2/cex/sandbox/BTC-USD/lasttrade"],
  ["/v2/cex/sandbox/BTC-USD/trades?limit=100"],
  ["/v2/cex/sandbox"],
  ["/v2/cex/exchanges"],
  ["/v2/dex/uniswap-v3/devnet"],
  ["/v2/dex/uniswap-v3/devnet/pools?limit=10"],
  ["/v2/dex/uniswap-v3/devnet/tokens?limit=10&skip=N"],
  ["/v2/blocks/devnet?limit=20"],
  ["/v2/cex/sandbox/BTC-USD/lasttrade", { "api-key": "a-wrong-key-N" }],
  ["/v2/cex/sandbox", { "if-none-match": "*" }],
  ["/v2/cex/sandbox/ETH-USD/trades?limit=N"],
  ["/v2/cex/sandbox/NONE-USD/lasttrade"],
  ["/v2/nothing/N"]
]

const largeEvery = 500
const large = "/v2/cex/sandbox/BTC-USD/trades?limit=50000"

const ask = (agent: Agent, port: number, path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
  new Promise((resolve, reject) => {
    get({ agent, port, host: "127.0.0.1", path, headers }, (response) => {
      response.resume()
      response.on("end", () => resolve(response.statusCode ?? 0))
      response.on("error", reject)
    }).on("error", reject)
  })

/** Sends `total` requests of all kinds over 8 connections; the result is how many had each status. */
export const askMixed = async (port: number, key: string, total: number): Promise<ReadonlyMap<number, number>> => {
  const connections = 8
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const statuses = new Map<number, number>()
  let next = 0
  const caller = async (): Promise<void> => {
    while (next < total) {
      const number = next++
      const [path, headers = {}] = kinds[number % kinds.length] ?? [large]
      const numbered = (text: string) => text.replace("N", String(1 + (number % 997)))
      const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, numbered(value)]))
      const status = await ask(agent, port, number % largeEvery === 0 ? large : numbered(path), {
        "api-key": key,
        ...own
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  agent.destroy()
  return statuses
}
