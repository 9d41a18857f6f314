import { assert, describe, it } from "@effect/vitest"
import type { Target, Targets } from "../../src/search/Target.ts"
import { findTargets, toHint } from "../../src/search/Target.ts"

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
  blockchains: [
    { id: "devnet", head: 2000 },
    { id: "other", head: undefined }
  ]
}

const hrefs = (text: string) => findTargets(targets, text).map(({ href }) => href)

describe("the search", () => {
  it("finds a market in every spelling", () => {
    for (const text of ["BTC/USD", "btc-usd", "btc usd", " btc ", "BTCUSD", "btcusd"])
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
    for (const text of ["1,234", "#1234", "block 1234", " Block 1,234 "])
      assert.deepStrictEqual(hrefs(text), ["#/block/devnet/1234", "#/block/other/1234"])
    // Not one that a blockchain does not have yet.
    assert.deepStrictEqual(hrefs("99999"), ["#/block/other/99999"])
  })

  it("finds a block that is newer than the head that was read", () => {
    assert.deepStrictEqual(hrefs("3000"), ["#/block/devnet/3000", "#/block/other/3000"])
    assert.deepStrictEqual(hrefs("3001"), ["#/block/other/3001"])
  })

  it("finds a pool by its fee", () => {
    const wanted = { ...pool("USDC", "WETH", "f"), words: "0.3%" }
    const known = [{ ...pool("USDC", "WETH", "e"), words: "0.05%" }, wanted]
    for (const text of ["usdc/weth 0.3%", "usdc weth 0.3 %"])
      assert.deepStrictEqual(findTargets({ ...targets, known }, text), [wanted])
  })

  it("finds a pool by its pair before those whose pair only contains it", () => {
    const wanted = pool("WETH", "USDC", "f")
    const found = findTargets({ ...targets, known: [pool("WETH", "USDC.e", "e"), wanted] }, "weth/usdc")
    assert.deepStrictEqual(found[0], wanted)
  })

  it("says why a hash finds nothing", () => {
    const hash = `0x${"a".repeat(64)}`
    assert.deepStrictEqual([hrefs(hash), toHint(hash)], [[], toHint(` ${hash.toUpperCase().replace("0X", "0x")} `)])
    assert.notStrictEqual(toHint(hash), toHint("doge"))
  })

  it("finds nothing for a text that no name contains", () => {
    assert.deepStrictEqual(hrefs("doge"), [])
  })
})
