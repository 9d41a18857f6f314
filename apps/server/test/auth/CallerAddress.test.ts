import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Headers, HttpServerRequest } from "effect/http"
import { addressBlock, CallerAddress, clientAddress } from "../../src/auth/CallerAddress.ts"

const proxies = ["10.0.0.0/8", "192.0.2.7", "2001:db8:1::/48", "::1"]
const stranger = "203.0.113.9"

const of = (peer: string, headers: Record<string, string> = {}, trusted: ReadonlyArray<string> = proxies) =>
  clientAddress(trusted)(peer, Headers.fromInput(headers))

describe("the address of a caller", () => {
  it("is the peer's if no proxy is configured, whatever the headers say", () => {
    for (const headers of [
      { "x-forwarded-for": "1.2.3.4" },
      { "x-forwarded-for": "10.0.0.1" },
      { forwarded: "for=1.2.3.4" },
      { "x-forwarded-for": "1.2.3.4", forwarded: "for=1.2.3.4" },
      { "x-real-ip": "1.2.3.4", "client-ip": "1.2.3.4", "true-client-ip": "1.2.3.4" }
    ]) {
      assert.strictEqual(of(stranger, headers), stranger)
      assert.strictEqual(of("10.0.0.1", headers, []), "10.0.0.1")
    }
  })

  it.each([
    ["one proxy", "10.1.2.3", "198.51.100.1", "198.51.100.1"],
    ["IPv4 in IPv6", "::ffff:10.1.2.3", "::ffff:198.51.100.1", "198.51.100.1"],
    ["two proxies", "10.1.2.3", "198.51.100.1, 10.9.9.9", "198.51.100.1"],
    ["a proxy of IPv6", "2001:db8:1::5", "2001:db8:ffff::1", "2001:db8:ffff::1"],
    ["ports and brackets", "::1", "[2001:DB8:FFFF::1]:4711", "2001:db8:ffff::1"],
    ["a port of IPv4", "::1", "198.51.100.1:4711", "198.51.100.1"],
    ["a caller who invents hops", "10.1.2.3", "1.1.1.1, 10.0.0.5, 198.51.100.1", "198.51.100.1"],
    ["a caller who pretends to be a proxy's caller", "10.1.2.3", "127.0.0.1, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
    ["rubbish behind the proxy", "10.1.2.3", "1.1.1.1, unknown", "10.1.2.3"],
    ["rubbish in front of a proxy", "10.1.2.3", "1.1.1.1, <script>, 10.9.9.9", "10.9.9.9"],
    ["only proxies", "10.1.2.3", "10.0.0.8, 10.0.0.9", "10.0.0.8"],
    ["nothing", "10.1.2.3", "", "10.1.2.3"],
    ["a network beside", "11.0.0.1", "1.1.1.1", "11.0.0.1"],
    ["a zone", "fe80::1%eth0", "1.1.1.1", "fe80::1"]
  ])("%s", (_, peer, header, expected) => {
    assert.strictEqual(of(peer, { "x-forwarded-for": header }), expected)
  })

  it.each([
    ["for=198.51.100.1", "198.51.100.1"],
    ["For=198.51.100.1;proto=https;by=10.0.0.1", "198.51.100.1"],
    ['proto=https; for="198.51.100.1:4711"', "198.51.100.1"],
    ['for="[2001:db8:ffff::1]:4711"', "2001:db8:ffff::1"],
    ["for=1.1.1.1, for=198.51.100.1, for=10.0.0.9", "198.51.100.1"],
    ["for=1.1.1.1, for=_hidden", "10.1.2.3"],
    ["for=1.1.1.1, proto=https", "10.1.2.3"],
    ["for=unknown", "10.1.2.3"]
  ])("Forwarded: %s", (forwarded, expected) => {
    assert.strictEqual(of("10.1.2.3", { forwarded }), expected)
  })

  it("takes no longer to read from a header of spaces", () => {
    const begin = performance.now()
    assert.strictEqual(of("10.1.2.3", { forwarded: `for=${" ".repeat(2000)}x"y` }), "10.1.2.3")
    assert.isBelow(performance.now() - begin, 500)
  })

  it("believes neither header where they differ: one of them may be the caller's own", () => {
    const both = { "x-forwarded-for": "198.51.100.1", forwarded: "for=1.1.1.1" }
    assert.strictEqual(of("10.1.2.3", both), "10.1.2.3")
    assert.strictEqual(of("10.1.2.3", { ...both, forwarded: "for=198.51.100.1" }), "198.51.100.1")
  })

  it.effect("is available to every caller, and empty if the socket has none", () =>
    Effect.gen(function* () {
      const { of } = yield* CallerAddress
      const request = HttpServerRequest.fromWeb(
        new Request("http://localhost/ping", { headers: { "x-forwarded-for": "1.2.3.4" } })
      )
      assert.strictEqual(of(request), "")
    }).pipe(Effect.provide(Layer.fresh(CallerAddress.layer(proxies))))
  )
})

describe("the block of an address", () => {
  it.each([
    ["198.51.100.1", "198.51.100.1"],
    ["2001:db8::1", "2001:db8::/64"],
    ["2001:DB8:0:0:ffff::", "2001:db8::/64"],
    ["2001:0db8:0000:0001:1:2:3:4", "2001:db8:0:1::/64"],
    ["::1", "::/64"],
    ["::", "::/64"],
    ["", ""]
  ])("%s", (address, block) => {
    assert.strictEqual(addressBlock(address), block)
  })
})
