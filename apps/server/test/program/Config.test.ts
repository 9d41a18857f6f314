import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { renderConfigSchema } from "../../scripts/config-schema.ts"
import { isKnownDriver } from "../../src/cex/ccxt/catalog/CcxtCatalog.ts"
import type { ConfigFile } from "../../src/program/Config.ts"
import { readConfigFile } from "../../src/program/ReadConfigFile.ts"

const reading = (content: string) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const file = yield* files.makeTempFileScoped()
    yield* files.writeFileString(file, content)
    return yield* readConfigFile(file, isKnownDriver)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const mistakesOf = (config: unknown) =>
  Effect.map(Effect.flip(reading(JSON.stringify(config))), ({ message }) => message)

describe("the configuration file", () => {
  it.effect("is read when it is right", () =>
    Effect.gen(function* () {
      const config: ConfigFile = {
        blockchains: [{ id: "devnet", name: "Devnet", rpc: ["http://127.0.0.1:8545"] }],
        exchanges: [{ id: "kraken" }],
        limits: {
          plans: {
            default: { burst: 5, perSecond: 0.5 },
            large: { burst: 9, perSecond: 9, perDay: 9, concurrency: 9 }
          },
          address: { burst: 10, perSecond: 10 },
          wrongKeys: { burst: 2, perSecond: 0.1 },
          withoutKey: { burst: 3, perSecond: 1 },
          connectionsPerAddress: 64
        },
        proxies: ["10.0.0.0/8", "127.0.0.1", "2001:db8::/32", "::1"],
        tape: { retentionDays: 90 }
      }
      assert.deepStrictEqual(yield* reading(JSON.stringify(config)), config)
    })
  )

  it.effect("names every mistake by its path", () =>
    Effect.gen(function* () {
      const message = yield* mistakesOf({
        blockchains: [
          { id: "Dev Net", name: "", rpc: [] },
          { id: "b", name: "B", rpc: ["ftp://x", "http://127.0.0.1:85450"], finality: -1 }
        ],
        exchanges: [
          { id: "kraken", rest: "127.0.0.1", websocket: "wss://[::1" },
          { id: "sandbox", record: ["BTCUSD"] }
        ],
        limits: {
          plans: { "No Plan": {}, small: { burst: 0, perSecond: 0, perDay: 0.5 } },
          address: { burst: 1 },
          connectionsPerAddress: 0
        },
        proxies: ["10.0.0.0/33", "proxy.example.org", "fe80::1%eth0", "10.0.0.1/8/8", "::1/129", "10.0.0.1"],
        tape: { retentionDays: 0 },
        typo: 1
      })
      for (const path of [
        "limits.plans.small.burst",
        "limits.plans.small.perSecond",
        "limits.plans.small.perDay",
        "limits.address.perSecond",
        "limits.connectionsPerAddress",
        "proxies[0]",
        "proxies[1]",
        "proxies[2]",
        "proxies[3]",
        "proxies[4]",
        "blockchains[0].id",
        "blockchains[0].name",
        "blockchains[0].rpc",
        "blockchains[1].rpc[0]",
        "blockchains[1].rpc[1]",
        "blockchains[1].finality",
        "exchanges[0].rest",
        "exchanges[0].websocket",
        "exchanges[1].record[0]",
        "tape.retentionDays",
        "typo"
      ])
        assert.include(message, `- ${path}`)
    })
  )

  it.effect("must name exchanges of the catalog", () =>
    Effect.gen(function* () {
      const message = yield* mistakesOf({ exchanges: [{ id: "mine", driver: "nobody" }, { id: "nothing" }] })
      assert.include(message, `exchanges[0].driver: "nobody" is not in the catalog: see /v2/cex/exchanges`)
      assert.include(message, `exchanges[1].id: "nothing" is not in the catalog: see /v2/cex/exchanges`)
    })
  )

  it.effect("must not name one id twice", () =>
    Effect.gen(function* () {
      const message = yield* mistakesOf({ exchanges: [{ id: "kraken" }, { id: "kraken" }] })
      assert.include(message, "- exchanges: ")
    })
  )

  it.effect("says which sources an exchange on a blockchain may have", () =>
    Effect.gen(function* () {
      const entry = { id: "fork", name: "Fork", blockchain: "devnet" }
      for (const dex of [entry, { ...entry, source: "subgrap" }])
        assert.include(yield* mistakesOf({ dexes: [dex] }), '- dexes[0]: Expected an entry whose source is "index"')
      const url = "http://127.0.0.1:1"
      assert.include(yield* mistakesOf({ dexes: [{ ...entry, source: "subgraph", ulr: url }] }), "- dexes[0].url: ")
    })
  )

  it.effect("states a fee only where no pool states its own", () =>
    Effect.gen(function* () {
      const address = `0x${"1".repeat(40)}`
      const fork = {
        id: "fork",
        name: "Fork",
        blockchain: "devnet",
        source: "index",
        fee: 2500,
        factory: address,
        startBlock: 0,
        referenceToken: address,
        stablePool: address,
        whitelist: [address],
        stablecoins: [],
        minimumNativeLocked: "1"
      }
      const blockchains = [{ id: "devnet", name: "Devnet", rpc: ["http://127.0.0.1:8545"] }]
      const message = yield* mistakesOf({ blockchains, dexes: [fork] })
      assert.include(message, "- dexes[0].fee: each pool of Uniswap V3 states its own fee: leave it out")
      const config = yield* reading(JSON.stringify({ blockchains, dexes: [{ ...fork, protocol: "uniswap-v2" }] }))
      assert.deepInclude(config.dexes?.[0], { fee: 2500 })
    })
  )

  it.effect("must exist and be JSON", () =>
    Effect.gen(function* () {
      const wrong = (yield* Effect.flip(reading('{\n  "exchanges": [{ "id": "kraken", }]\n}'))).message
      assert.include(wrong, "is wrong")
      assert.match(wrong, /- no JSON: .+\(line 2 column 35\)/)
      const missing = yield* Effect.flip(
        Effect.provide(readConfigFile("/nowhere/at/all.json", isKnownDriver), NodeServices.layer)
      )
      assert.include(missing.message, "cannot be read")
    })
  )

  it.effect("is described by the published JSON Schema", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const published = yield* files.readFileString(
        new URL("../../chaintape.config.schema.json", import.meta.url).pathname
      )
      assert.strictEqual(
        published,
        renderConfigSchema(),
        "run: node --conditions=chaintape-source apps/server/scripts/config-schema.ts"
      )
    }).pipe(Effect.provide(NodeServices.layer))
  )
})
