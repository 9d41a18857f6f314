import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { toQuotable } from "../../src/sources/UpstreamText.ts"

const key = "canary0key0of0the0operator"
const url = `https://someone:${key}p@node.example/v3/${key}path?apikey=${key}%2Bquery&v=2`

describe("the quoted text of an upstream", () => {
  it("contains no address, and no key of the upstream's address", () => {
    for (const secret of [`${key}p`, `${key}path`, `${key}+query`, `${key}%2Bquery`]) {
      const quoted = toQuotable(`project ${secret} is over its limit`, url)
      assert.strictEqual(quoted, "project (hidden) is over its limit")
      assert.notInclude(toQuotable(`see ${url}/${secret}, or http://169.254.169.254/`, url), key)
    }
    assert.strictEqual(toQuotable("see https://x.example/a?b=c for v3", url), "see (address) for v3")
  })

  it.prop("is one short line for any text", [Schema.String], ([text]) => {
    for (const said of [text, `${text}\n\u001b[2J\u0000\u009b\u202e\ud800\u2028${text}`]) {
      const quoted = toQuotable(said, url)
      assert.notMatch(quoted, /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}]/u)
      assert.isAtMost(quoted.length, 501)
    }
  })

  it("is cut within a second if it is very long", () => {
    const started = performance.now()
    assert.lengthOf(toQuotable("request ".repeat(500_000), url), 501)
    assert.isBelow(performance.now() - started, 1000)
  })
})
