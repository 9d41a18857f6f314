import { assert, describe, it } from "@effect/vitest"
import type { Target, Targets } from "../../src/search/Target.ts"
import { findTargets } from "../../src/search/Target.ts"

const address = (digit: string) => `0x${digit.repeat(40)}`

const market = (name: string): Target => ({
  kind: "market",
  href: `#/market/sandbox/${name}`,
  names: [name],
  note: "sandbox",
  words: "sandbox"
})

const token = (symbol: string, name: string, digit: string): Target => ({
  kind: "token",
  href: `#token ${symbol}`,
  names: [symbol],
  address: address(digit),
  note: "uniswap-v3/devnet",
  words: name
})

const pool = (one: string, other: string, digit: string): Target => ({
  kind: "pool",
  href: `#pool ${one} ${other}`,
  names: [one, other],
  address: address(digit),
  note: "uniswap-v3/devnet",
  words: ""
})

const targets: Targets = {
  known: [
    market("BTC/USD"),
    market("ETH/USD"),
    token("USDC", "USD Coin", "a"),
    token("WETH", "Wrapped Ether", "b"),
    pool("WETH", "USDC", "c"),
    pool("DAI", "WETH", "d")
  ],
  deployments: ["uniswap-v3/devnet"],
  blockchains: ["devnet", "other"]
}

const hrefs = (text: string) => findTargets(targets, text).map(({ href }) => href)

describe("the search", () => {
  it("finds a market in every spelling", () => {
    for (const text of ["BTC/USD", "btc-usd", "btc usd", " btc "])
      assert.strictEqual(hrefs(text)[0], "#/market/sandbox/BTC/USD")
  })

  it("finds tokens and pools by symbol and name, the same symbol first", () => {
    assert.deepStrictEqual(hrefs("weth"), ["#token WETH", "#pool WETH USDC", "#pool DAI WETH"])
    assert.deepStrictEqual(hrefs("usdc weth"), ["#pool WETH USDC"])
    assert.deepStrictEqual(hrefs("wrapped"), ["#token WETH"])
  })

  it("finds tokens and pools by address, known or not", () => {
    assert.deepStrictEqual(hrefs(address("A").replace("0X", "0x")), ["#token USDC"])
    assert.deepStrictEqual(hrefs("0xddd"), ["#pool DAI WETH"])
    assert.deepStrictEqual(hrefs(address("9")), [`#/dex/uniswap-v3/devnet/${address("9")}`])
  })

  it("finds a block on each blockchain", () => {
    assert.deepStrictEqual(hrefs("1,234"), ["#/block/devnet/1234", "#/block/other/1234"])
  })

  it("finds nothing by what is in no name", () => {
    assert.deepStrictEqual(hrefs("doge"), [])
  })
})
