import { deflateRawSync, gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import type { RawClient } from "../../../../src/cex/ccxt/class/RawExchange.ts"
import { boundFrames, frameBounds } from "../../../../src/cex/ccxt/class/StreamBounds.ts"

/** A connection of ccxt's, and what was done with it. */
const connected = (compression: { readonly gunzip?: boolean; readonly inflate?: boolean }, bufferedAmount = 0) => {
  const seen = { messages: new Array<unknown>(), excesses: new Array<unknown>(), closed: 0 }
  const client: RawClient = {
    futures: {},
    gunzip: false,
    inflate: false,
    ...compression,
    connection: { terminate: () => void seen.closed++, bufferedAmount },
    log: () => {},
    send: () => Promise.resolve(),
    reject: () => undefined,
    onMessage: ({ data }) => void seen.messages.push(data),
    onPing: () => {},
    onPong: () => {},
    clearConnectionTimeout: () => {},
    clearPingInterval: () => {}
  }
  boundFrames(client, (error) => seen.excesses.push(error))
  return { client, seen }
}

const trade = '{"price":"1"}'

describe("a frame of a stream", () => {
  it.each([
    ["a text", {}, trade],
    ["bytes", {}, Buffer.from(trade)],
    ["compressed as gzip", { gunzip: true }, gzipSync(trade)],
    ["compressed without a header", { inflate: true }, deflateRawSync(trade)],
    ["a text where bytes are compressed", { gunzip: true }, trade]
  ] as const)("that is %s is handed over as text", (_what, compression, data) => {
    const { client, seen } = connected(compression)
    client.onMessage({ data })
    assert.deepStrictEqual(seen, { messages: [trade], excesses: [], closed: 0 })
  })

  it.each([
    ["a bomb", { gunzip: true }, gzipSync(Buffer.alloc(64 * 1024 * 1024))],
    ["a bomb without a header", { inflate: true }, deflateRawSync(Buffer.alloc(64 * 1024 * 1024))],
    ["not compressed", { gunzip: true }, Buffer.from(trade)],
    ["nested 200,000 times", {}, "[".repeat(200_000)],
    ["of a million values", {}, `[${"1,".repeat(1_000_000)}1]`],
    ["too long", {}, Buffer.alloc(frameBounds.bytes + 1, " ")]
  ] as const)("that is %s closes the connection, and is not parsed", (_what, compression, data) => {
    const { client, seen } = connected(compression)
    client.onMessage({ data })
    assert.deepStrictEqual([seen.messages.length, seen.excesses.length, seen.closed], [0, 1, 1])
  })

  it("that is a ping closes the connection where its answers are not read", () => {
    for (const [unread, closed] of [
      [0, 0],
      [2 * 1024 * 1024, 1]
    ] as const) {
      const { client, seen } = connected({}, unread)
      client.onPing()
      assert.deepStrictEqual([seen.excesses.length, seen.closed], [closed, closed])
    }
  })
})
