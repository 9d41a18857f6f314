import { assert, describe, it } from "@effect/vitest"
import { referencePage } from "../../src/http/docs/ReferencePage.ts"
import { makeExamples } from "../../src/program/Banner.ts"
import type { ConfigFile } from "../../src/program/Config.ts"

const rpc = ["http://127.0.0.1:8545"] as const

const config: ConfigFile = {
  exchanges: [{ id: "bitstamp" }, { id: "sandbox", record: ["BTC/USD", "ETH/USD"] }],
  blockchains: [{ id: "devnet", name: "Devnet", rpc }],
  dexes: [{ id: "pancakeswap-v3", name: "PancakeSwap V3", source: "index", preset: "polygon", blockchain: "devnet" }]
}

/** The values of the inputs of the page of the reference, before a key is entered. */
const inputsOf = (config: ConfigFile) => {
  const { body } = referencePage(makeExamples(config))
  const html = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
  return (id: string) => new RegExp(`id="${id}"[^>]*?value="([^"]*)"`).exec(html)?.[1]
}

describe("the examples of the API reference", () => {
  it("name an exchange, a market and a chain of this service", () => {
    const valueOf = inputsOf(config)
    assert.deepStrictEqual(
      ["cex.trades-exchange", "cex.trades-market", "dex.pools-exchange", "dex.pools-blockchain"].map(valueOf),
      ["sandbox", "BTC-USD", "pancakeswap-v3", "devnet"]
    )
    assert.strictEqual(valueOf("blocks.blocks-blockchain"), "devnet")
  })

  it("name the first exchange of a service that records no market, and those of the document for the rest", () => {
    const valueOf = inputsOf({ exchanges: [{ id: "bitstamp" }] })
    assert.strictEqual(valueOf("cex.trades-exchange"), "bitstamp")
    assert.strictEqual(valueOf("dex.pools-exchange"), "uniswap-v3")
    assert.strictEqual(valueOf("blocks.blocks-blockchain"), "ethereum")
  })
})
