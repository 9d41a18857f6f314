import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import {
  blockHref,
  dexHref,
  marketHref,
  parseRoute,
  tokenHref,
  toTitle,
  transactionHref
} from "../../src/route/Route.ts"

describe("the route of the demo", () => {
  it.prop("has one of the known views for any text of the address", [Schema.String], ([text]) => {
    assert.include(["market", "dex", "blocks", "health", "unknown"], parseRoute(text).view)
  })

  it("keeps a part that is malformed", () => {
    assert.strictEqual(parseRoute("#/block/%/%").view, "blocks")
    for (const view of ["market", "dex", "blocks"]) assert.strictEqual(parseRoute(`#/${view}/%`).view, view)
    assert.deepInclude(parseRoute("#/market/%/%E0%A4%A/1m"), { exchange: "%", market: "%E0%A4%A", timeframe: "1m" })
  })

  it("is unknown if no view has the name", () => {
    for (const hash of ["#/foo", "#/Market", "#/markets/a/b"]) assert.strictEqual(parseRoute(hash).view, "unknown")
    assert.strictEqual(toTitle(parseRoute("#/foo")), "No such page · Chaintape")
    for (const hash of ["", "#", "#/", "#/market"]) assert.strictEqual(parseRoute(hash).view, "market")
  })

  it("has a title", () => {
    const titles = [
      "#/blocks/devnet",
      blockHref("devnet", 7n),
      "#/health",
      marketHref("kraken", "BTC/USD", "1m"),
      ""
    ].map((hash) => toTitle(parseRoute(hash)))
    assert.deepStrictEqual(titles, [
      "devnet · Blocks · Chaintape",
      "Block 7 · devnet · Blocks · Chaintape",
      "Health · Chaintape",
      "BTC/USD · kraken · Market · Chaintape",
      "Market · Chaintape"
    ])
    assert.strictEqual(
      toTitle(parseRoute(dexHref("uniswap-v3/devnet", "0x0123456789abcdef"))),
      "Pool 0x012345… · uniswap-v3 on devnet · DEX · Chaintape"
    )
    assert.strictEqual(
      toTitle(parseRoute(dexHref("uniswap-v3/devnet", "0x0123456789abcdef", 61)), "Pool USDC / WETH, 0.05 %"),
      "Pool USDC / WETH, 0.05 % · as of block 61 · uniswap-v3 on devnet · DEX · Chaintape"
    )
    assert.strictEqual(
      toTitle(parseRoute(dexHref("uniswap-v3/devnet", undefined, 61))),
      "as of block 61 · uniswap-v3 on devnet · DEX · Chaintape"
    )
  })

  it("is the one that a link was made for", () => {
    assert.deepStrictEqual(parseRoute(tokenHref("uniswap-v3/devnet", "0xa")), {
      view: "dex",
      deployment: "uniswap-v3/devnet",
      pool: undefined,
      token: "0xa",
      transaction: undefined,
      block: undefined,
      wrongBlock: undefined
    })
    const transaction = { hash: "0xc", time: 1_795_240_134, tokens: ["0xa", "0xb"] }
    for (const block of [undefined, 61])
      assert.deepInclude(parseRoute(transactionHref("uniswap-v3/devnet", transaction, block)), {
        pool: undefined,
        transaction,
        block
      })
    const cut = { hash: "0xc", time: undefined, tokens: [] }
    assert.deepInclude(parseRoute("#/dex/a/b/tx/0xc?time=1.5&tokens="), { transaction: cut })
    assert.deepInclude(parseRoute("#/dex/a/b/tx"), { pool: undefined, transaction: undefined })
    assert.deepInclude(parseRoute(dexHref("uniswap-v3/devnet", "0xb", 61)), { pool: "0xb", block: 61 })
    assert.deepInclude(parseRoute(tokenHref("uniswap-v3/devnet", "0xa", 0)), { token: "0xa", block: 0 })
    for (const text of ["", "-1", "1.5", "0x1", "9".repeat(16)])
      assert.deepInclude(parseRoute(`#/dex/a/b?block=${text}`), {
        deployment: "a/b",
        block: undefined,
        wrongBlock: text === "" ? undefined : text
      })
    assert.deepStrictEqual(parseRoute(marketHref("a%b", "BTC/USD", "5m")), {
      view: "market",
      exchange: "a%b",
      market: "BTC/USD",
      timeframe: "5m"
    })
  })
})
