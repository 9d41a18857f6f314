import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isInternalAddress, lookupOutside } from "../../src/sources/InternalAddress.ts"

const internal = [
  "0.0.0.0",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "127.0.0.1",
  "127.255.255.254",
  "169.254.169.254",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "224.0.0.1",
  "255.255.255.255",
  "::",
  "::1",
  "::ffff:127.0.0.1",
  "::ffff:a9fe:a9fe",
  "::127.0.0.1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "fd00::1",
  "fe80::1",
  "ff02::1"
]

const outside = [
  "1.1.1.1",
  "9.255.255.255",
  "11.0.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.167.0.1",
  "2606:4700::1",
  "::ffff:1.1.1.1"
]

const resolve = (hostname: string, all: boolean) =>
  Effect.callback<boolean>((resume) => {
    lookupOutside(hostname, { all }, (error) => resume(Effect.succeed(error === null)))
  })

describe("an internal address", () => {
  it.each(internal)("is %s", (host) => assert.isTrue(isInternalAddress(host)))
  it.each(outside)("is not %s", (host) => assert.isFalse(isInternalAddress(host)))
  it("is not a name", () => assert.isFalse(isInternalAddress("localhost")))

  it.each(["127.1", "0x7f000001", "2130706433", "0177.0.0.1", "127.0.0.1.", "[::ffff:127.0.0.1]"])(
    "is %s, as written in a URL",
    (host) => assert.isTrue(isInternalAddress(new URL(`wss://${host}/`).hostname.replace(/^\[|\]$/g, "")))
  )

  it.effect("is not what a name resolves to", () =>
    Effect.gen(function* () {
      for (const all of [true, false]) {
        assert.isFalse(yield* resolve("localhost", all))
        assert.isTrue(yield* resolve("1.1.1.1", all))
      }
    })
  )
})
