import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { catalogExchanges } from "../../../../src/cex/ccxt/catalog/Catalog.ts"
import type { CcxtError } from "../../../../src/cex/ccxt/class/CcxtError.ts"
import { openCcxtExchange } from "../../../../src/cex/ccxt/class/CcxtExchange.ts"
import { importStream } from "../../../../src/cex/ccxt/class/CcxtPackage.ts"
import { makeAddressGuard } from "../../../../src/cex/ccxt/class/StreamAddress.ts"
import { json, stubExchange } from "../StubExchange.ts"
import { stubStream } from "./StubStream.ts"

const btc = { symbol: "BTC/USDT", id: "BTC-USDT", base: "BTC", quote: "USDT", baseId: "BTC", quoteId: "USDT" }

const bullet = (endpoint: string) => ({
  code: "200000",
  data: { token: "token", instanceServers: [{ endpoint, protocol: "websocket", encrypt: true, pingInterval: 18_000 }] }
})

/** Opens a stream of kucoin, whose address the stub sends: what the connection came to, and the connections inside. */
const openedAt = (toEndpoint: (port: string) => string) =>
  Effect.gen(function* () {
    const inside = yield* stubStream
    const { port } = new URL(inside.websocket)
    const { rest } = yield* stubExchange(() => json(bullet(toEndpoint(port))))
    const failures: Array<CcxtError> = []
    const exchange = yield* Effect.promise(() =>
      openCcxtExchange({
        driver: "kucoin",
        rest,
        websocket: inside.websocket,
        markets: [btc],
        quoteNumbers: false,
        requestTimeoutMs: 5000
      })
    )
    const isOpen = () => inside.connections.all > 0
    yield* Effect.acquireRelease(
      Effect.promise(() =>
        exchange.stream({
          symbol: btc.symbol,
          connectMs: 5000,
          pingMs: 10_000,
          pace: () => Promise.resolve(),
          onRow: () => {},
          onFrame: () => {},
          onLost: (failure) => failures.push(failure)
        })
      ),
      ({ close }) => Effect.sync(close)
    )
    while (failures.length === 0 && !isOpen()) yield* Effect.sleep("10 millis")
    return { isOpen: isOpen(), messages: failures.map(({ message }) => message) }
  }).pipe(Effect.scoped)

describe("the address of a stream that an exchange has sent", () => {
  it.live.each([
    ["ws://127.0.0.2", /internal/],
    ["ws://[::1]", /internal/],
    ["ws://[::ffff:127.0.0.1]", /internal/],
    ["ws://2130706434", /internal/],
    ["ws://localhost", /internal/],
    ["ws://0.0.0.0", /internal/],
    ["not an address", /address/]
  ] as const)("is refused where it is %s", ([address, message]) =>
    Effect.gen(function* () {
      const { isOpen, messages } = yield* openedAt((port) => `${address}:${port}/endpoint`)
      assert.isFalse(isOpen)
      assert.match(String(messages[0]), message)
    })
  )

  it.live("is used where its host is the configured one, even if it is internal", () =>
    Effect.gen(function* () {
      const { isOpen, messages } = yield* openedAt((port) => `ws://127.0.0.1:${port}/endpoint`)
      assert.deepStrictEqual([isOpen, messages], [true, []])
    })
  )
})

describe("the addresses of all classes", () => {
  it("are accepted, those with a parameter for the host, too", async () => {
    let count = 0
    for (const { id } of catalogExchanges) {
      const Stream = await importStream(id)
      if (typeof Stream !== "function") continue
      const { hostname, urls } = Reflect.construct(Stream, [{}])
      const guard = makeAddressGuard()
      guard.trust({ hostname, urls })
      const texts = JSON.stringify(urls).match(/wss?:\/\/[^"]+/g) ?? []
      for (const text of texts) guard.check(text.replaceAll("{hostname}", hostname))
      count += texts.length
    }
    assert.isAbove(count, 100)
  }, 60_000)
})
