import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { prefersPage } from "../../src/internal/acceptHeader.ts"
import type { Status } from "../../src/observability/Status.ts"
import { statusPage } from "../../src/observability/StatusPage.ts"
import { record } from "../HttpCall.ts"
import { keyed, metrics, plain } from "../RunningService.ts"
import { stubbedService } from "../StubbedService.ts"
import { sampleIncidents, sampleStatus as status } from "./SampleStatus.ts"

const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

describe("the form of /status", () => {
  it.each([
    [undefined, false],
    ["", false],
    ["*/*", false],
    ["application/json", false],
    ["text/html", true],
    [browser, true],
    ["application/json, text/html;q=0.9", false],
    ["text/html;q=0.1, application/json;q=0", true],
    ["text/*, application/json;q=0.5", true],
    ["text/html;q=nonsense", false]
  ] as const)("for a caller who accepts %s", (accept, isPage) => {
    assert.strictEqual(prefersPage(accept), isPage)
  })
})

const toHtml = (found: Status, refusalReason?: string, incidents = Option.some(sampleIncidents)) => {
  const { body } = statusPage(found, refusalReason, incidents)
  return body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
}

describe("the page of /status", () => {
  it("shows sources, indexes, recordings, gaps and retention", () => {
    const html = toHtml(status, 'The index "x" is behind.')
    for (const text of [
      "<strong>Not ready.</strong> The index &quot;x&quot; is behind.",
      "up for 1 d 2 h",
      "&lt;script&gt;alert(1)&lt;/script&gt;",
      '<time datetime="2026-11-21T08:58:30.000Z" title="2026-11-21T08:58:30.000Z">1 min ago</time>: ',
      '<progress max="100" value="50"',
      "1,234,567",
      "11 to 17",
      "Recorded trades are kept for 30 days.",
      "Answered by box-1 (api, recorder), which does: recording:sandbox/BTC/USD.",
      "2026-11-21 09:00:00"
    ]) {
      assert.include(html, text)
    }
    assert.notInclude(html, "<script")
    // Each table has a caption, each cell its headers.
    assert.strictEqual(html.match(/<caption/g)?.length, html.match(/<table/g)?.length)
    assert.strictEqual(html.match(/<th scope="row"/g)?.length, 7)
  })

  it("marks exchanges that are only read on demand", () => {
    const html = toHtml(status)
    assert.match(html, /<th scope="row">kraken<\/th>\s*<td>exchange, on demand<\/td>/)
    assert.match(html, /<th scope="row">sandbox<\/th>\s*<td>exchange<\/td>/)
  })

  it("lists incidents, newest first, and states if there is none, or if they cannot be read", () => {
    const [, table = ""] = toHtml(status).split('aria-label="Incidents, newest first"')
    assert.match(
      table,
      /2026-11-21 08:59:00<\/time><\/th>\s*<td>uniswap-v3\/devnet<\/td>\s*<td>reorg<\/td>\s*<td>Blocks 996 to 1000 were replaced/
    )
    assert.include(table, "7 trades are missing &lt;b&gt;now&lt;/b&gt;.")
    assert.include(toHtml(status, undefined, Option.some([])), "No incident is recorded.")
    assert.include(toHtml(status, undefined, Option.none()), "The incidents cannot be read: the store does not answer.")
  })

  it("says at the top what is wrong", () => {
    const [index] = status.indexes
    const [recording] = status.recordings
    if (index === undefined || recording === undefined) return assert.fail("the sample is empty")
    const whole = { ...recording, missing: 0, gapCount: 0, gaps: [] }
    const found = (recordings: Status["recordings"], lastError: string | null = null) =>
      /<p role="status">(.+?)<\/p>/.exec(toHtml({ ...status, recordings, indexes: [{ ...index, lastError }] }))?.[1]
    assert.strictEqual(found([whole]), "<strong>Ready.</strong> Nothing is known to be missing.")
    const problems = "<strong>Ready, with problems.</strong>"
    assert.match(String(found([{ ...whole, gapCount: 2 }])), new RegExp(`^${problems} .+ has 2 gaps\\.$`))
    const [gap] = recording.gaps
    if (gap === undefined) return assert.fail("the sample has no gap")
    const lacks = (count: number, missing = count) => {
      const gaps = [{ ...gap, to: gap.from + count - 1 }]
      return { ...recording, exchange: "x", market: "A/B", missing, gaps, gapCount: 1 }
    }
    assert.include(found([whole, lacks(1)]), `${problems} 1 trade is missing in x A/B.`)
    assert.include(found([whole, lacks(1), lacks(59)]), `${problems} 60 trades are missing in 2 markets.`)
    assert.include(found([{ ...lacks(3), gapCount: 2 }]), `${problems} At least 3 trades are missing in x A/B.`)
    assert.strictEqual(found([whole], "It is late."), `${problems} Index ${index.key}: It is late.`)
  })

  it("counts the trades of the history that are still to be read apart from missing ones", () => {
    const [recording] = status.recordings
    if (recording === undefined) return assert.fail("the sample is empty")
    const html = (found: Partial<typeof recording>) => toHtml({ ...status, recordings: [{ ...recording, ...found }] })
    const text = "2,000 trades of the history of sandbox BTC/USD are still to be read."
    const whole = html({ missing: 2000, gapCount: 0, gaps: [] })
    assert.include(whole, `<strong>Ready.</strong> Nothing is known to be missing. ${text}</p>`)
    assert.match(whole, /<td>1,234,567<\/td>\s*<td>0<\/td>\s*<td>2,000<\/td>\s*<td>0<\/td>/)
    const both = html({ missing: 2007 })
    assert.include(both, `7 trades are missing in sandbox BTC/USD. ${text}`)
    assert.match(both, /<td>1,234,567<\/td>\s*<td>7<\/td>\s*<td>2,000<\/td>\s*<td>1<\/td>/)
    assert.match(html({ continuity: "overlap", missing: 0 }), /<td>not known<\/td>\s*<td>0<\/td>\s*<td>1<\/td>/)
    const unlisted = html({ missing: 2007, gapCount: 21 })
    assert.match(unlisted, /<td>at least 7<\/td>\s*<td>not known<\/td>\s*<td>21<\/td>/)
  })

  layer(Layer.mergeAll(stubbedService()), { excludeTestServices: true })((test) => {
    test.effect("is sent to browsers, and JSON to all other callers", () =>
      Effect.gen(function* () {
        const page = yield* plain({ path: "/status", headers: { accept: browser } })
        assert.strictEqual(page.status, 200)
        assert.match(String(page.headers["content-type"]), /^text\/html/)
        assert.deepStrictEqual([page.headers["refresh"], page.headers["cache-control"]], ["10", "no-store"])
        assert.match(String(page.headers["content-security-policy"]), /default-src 'none'/)
        assert.match(page.body, /<th scope="row">synthetic<\/th>/)
        assert.include(String(page.headers["vary"]), "accept,")
        const json = yield* plain("/status")
        assert.strictEqual(record(json)["ready"], true)
        assert.isTrue(Option.isSome(Option.fromUndefinedOr(record(json)["sources"])))
      })
    )

    test.effect("metrics count answers by route, status and source, never by what callers choose", () =>
      Effect.gen(function* () {
        yield* keyed("/v2/cex/stub/BTC-USD/trades?limit=3")
        yield* plain("/v2/cex/stub/BTC-USD/trades?limit=3")
        yield* plain("/no-such-path-of-mine")
        assert.strictEqual((yield* plain("/metrics")).status, 404)
        const body = yield* metrics
        const line = (...labels: ReadonlyArray<string>) =>
          body
            .split("\n")
            .find(
              (one) => one.startsWith("chaintape_http_requests_total{") && labels.every((label) => one.includes(label))
            )
        assert.isDefined(line('route="/v2/cex/:exchange/:market/trades"', 'status="200"', 'source="ccxt"'), body)
        assert.isDefined(line('route="/v2/cex/:exchange/:market/trades"', 'status="401"', 'source="none"'))
        assert.isDefined(line('route="other"', 'status="404"'))
        assert.notInclude(body, "no-such-path-of-mine")
        assert.match(body, /^chaintape_http_request_seconds_bucket\{.*le="0\.1"/m)
        assert.match(body, /^chaintape_http_waiting \d+$/m)
      })
    )
  })
})
