import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Option } from "effect"
import { HttpClient } from "effect/http"
import { makeNodes } from "../../src/blocks/rpc/Nodes.ts"
import { RpcFault } from "../../src/blocks/rpc/RpcCall.ts"
import * as CcxtSources from "../../src/cex/ccxt/CcxtSources.ts"
import { ExchangeSource } from "../../src/cex/ExchangeSource.ts"
import { makeSubgraphView } from "../../src/dex/subgraph/SubgraphDexSource.ts"
import { latest, market } from "../cex/ccxt/Sandbox.ts"
import { attacks, hostileServer } from "./HostileServer.ts"

interface Failed {
  readonly reason: string
  readonly message: string
}

const undici = Effect.provide(NodeHttpClient.layerUndici)
const megabyte = 1024 * 1024

/** One read of each kind of upstream, and the most bytes of one answer. */
const reads: Readonly<
  Record<string, { readonly bytes: number; readonly read: (url: string) => Effect.Effect<unknown, Failed> }>
> = {
  exchange: {
    bytes: 64 * megabyte,
    read: (url) =>
      Effect.flatMap(ExchangeSource, (source) => source.trades("hostile", market, latest(10))).pipe(
        Effect.provide(
          CcxtSources.layer([{ id: "hostile", driver: "coinbaseexchange", rest: url }], {
            paceMs: 0,
            attempts: 1,
            requestMs: 2000
          })
        )
      )
  },
  "page of an exchange": {
    bytes: 8 * megabyte,
    read: (url) => {
      const known = { symbol: "BTC/USD", id: "BTC-USD", base: "BTC", quote: "USD", baseId: "BTC", quoteId: "USD" }
      const entry = { id: "hostile", driver: "coinbaseexchange", rest: url, markets: [known] }
      return Effect.flatMap(ExchangeSource, (source) => source.trades("hostile", market, latest(10))).pipe(
        Effect.provide(CcxtSources.layer([entry], { paceMs: 0, attempts: 1, requestMs: 2000 }))
      )
    }
  },
  node: {
    bytes: 32 * megabyte,
    read: (url) =>
      Effect.gen(function* () {
        const nodes = makeNodes(yield* HttpClient.HttpClient, "hostile", [url], {
          rateLimitRetries: 0,
          timeoutMs: 3000
        })
        return yield* nodes.read((send) =>
          send([
            { method: "eth_chainId", params: [] },
            { method: "eth_blockNumber", params: [] }
          ])
        )
      }).pipe(undici)
  },
  subgraph: {
    bytes: 16 * megabyte,
    read: (url) =>
      Effect.gen(function* () {
        const view = yield* makeSubgraphView([{ key: "hostile/chain", url }])
        return yield* view("hostile/chain", Option.none())
      }).pipe(
        undici,
        Effect.mapError((error) =>
          error._tag === "DexSourceError" ? error : { reason: error._tag, message: "a sentence." }
        )
      )
  }
}

/** Written by the system for a reader that ends the transfer: its buffers, and those of the sockets. */
const buffers = 8 * megabyte

describe.each(Object.entries(reads))("the %s that is hostile", (_kind, { bytes, read }) => {
  it.live.each(Object.entries(attacks))(
    "fails with a message and within its limits if it sends %s",
    ([, attack]) =>
      Effect.gen(function* () {
        const server = yield* hostileServer
        server.attack = attack
        const [took, error] = yield* Effect.timed(Effect.flip(read(server.url)))
        assert.include(["BadResponse", "Unavailable", "Timeout", "Refused"], error.reason)
        assert.match(error.message, /^[^\p{Cc}]{1,600}\.$/u)
        assert.notMatch(error.message, /https?:|127\.0\.0\.1|<html/)
        assert.isBelow(Duration.toMillis(took), 20_000)
        while (server.open() > 0) yield* Effect.sleep("10 millis")
        // Attempts are at most four.
        assert.isBelow(server.sent(), 4 * (bytes + buffers))
        assert.strictEqual(server.inside(), 0)
        assert.notProperty({}, "polluted")
      }).pipe(Effect.scoped),
    60_000
  )
})

describe("a node whose errors are hostile", () => {
  const key = "canary0key0of0the0operator"
  const echo = (message: string) => {
    const error = { code: -32_000, message: `${message} http://node.example/v3/${key} ${key}` }
    return JSON.stringify([0, 1].map((id) => ({ jsonrpc: "2.0", id, error })))
  }

  it.live.each<readonly [what: string, message: string]>([
    ["a megabyte that a pattern searches for long", "request ".repeat(131_072)],
    ["the key of the operator and controls", "over the limit\u0000\u001b[2J\n\u202e"]
  ])("is quoted in a few words where it repeats %s", ([, message]) =>
    Effect.gen(function* () {
      const server = yield* hostileServer
      server.attack = (response) => response.end(echo(message))
      const nodes = makeNodes(yield* HttpClient.HttpClient, "hostile", [`${server.url}/v3/${key}`])
      const call = { method: "eth_getLogs", params: [], mayFail: true } as const
      const [took, replies] = yield* Effect.timed(nodes.read((send) => send([call, call])))
      assert.isBelow(Duration.toMillis(took), 2000)
      for (const fault of replies) {
        if (!(fault instanceof RpcFault)) return assert.fail("no fault")
        assert.match(fault.message, /^[^\p{Cc}\p{Bidi_Control}]{1,501}$/u)
        assert.notInclude(fault.message, key)
      }
    }).pipe(undici, Effect.scoped)
  )
})

describe("an answer that has a member twice", () => {
  const [price, id] = ['"price":"7","size":"1","price":"2.5"', '"id":0,"result":"0x7","id":0,"result":"0x1"']

  it.live.each([
    ["exchange", `[{"trade_id":9,"side":"sell","time":"2026-01-05T00:00:00.000Z",${price}}]`],
    [
      "exchange that sends numbers",
      `[{"trade_id":9,"side":"sell","time":"2026-01-05T00:00:00.000Z",${price.replaceAll(/"([\d.]+)"/g, "$1")}}]`
    ]
  ])("has the last one: %s", ([, body]) =>
    Effect.gen(function* () {
      const server = yield* hostileServer
      server.attack = (response) => response.end(body)
      const known = { symbol: "BTC/USD", id: "BTC-USD", base: "BTC", quote: "USD", baseId: "BTC", quoteId: "USD" }
      const entry = { id: "hostile", driver: "coinbaseexchange", rest: server.url, markets: [known] }
      const { trades } = yield* Effect.flatMap(ExchangeSource, (source) =>
        source.trades("hostile", market, latest(1))
      ).pipe(Effect.provide(CcxtSources.layer([entry], { paceMs: 0, attempts: 1, requestMs: 2000 })))
      assert.deepStrictEqual(
        trades.map((trade) => trade.price),
        ["2.5"]
      )
    }).pipe(Effect.scoped)
  )

  it.live("has the last one: node", () =>
    Effect.gen(function* () {
      const server = yield* hostileServer
      server.attack = (response) => response.end(`[{"jsonrpc":"2.0",${id}}]`)
      const nodes = makeNodes(yield* HttpClient.HttpClient, "hostile", [server.url])
      const replies = yield* nodes.read((send) => send([{ method: "eth_chainId", params: [] }]))
      assert.deepStrictEqual(replies, ["0x1"])
    }).pipe(undici, Effect.scoped)
  )
})
