import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"
import { tradeJson } from "../../../apps/server/src/cex/CexJson.ts"
import { End, eventNames, Gap, Open, Reorg, toEventWriter } from "../../../apps/server/src/live/LiveEvents.ts"
import type { LiveEvent } from "../../../apps/server/src/live/LiveFeed.ts"
import { endFrame, eventFrame, openFrame } from "../../../apps/server/src/live/LiveFrame.ts"
import { reorgEvent } from "../../../apps/server/src/live/Reorg.ts"
import { TradeInText } from "../../../packages/core/src/cex/Trade.ts"
import { connect } from "../../../packages/core/src/internal/live/connection.ts"
import { decodeReorg } from "../../../packages/core/src/internal/live/eventData.ts"
import { makeEventParser, type ServerEvent } from "../../../packages/core/src/internal/live/eventParser.ts"
import { liveBlocks } from "../../../packages/core/src/internal/live/operations.ts"
import { decodeTradeEvents } from "../../../packages/core/src/internal/live/tradeEvents.ts"
import { repository } from "../../Command.ts"

/** The events in the bytes of the service, as a client parses them. */
const parse = (events: ReadonlyArray<LiveEvent>): ReadonlyArray<ServerEvent> =>
  makeEventParser().push(new TextEncoder().encode(events.map(eventFrame).join("")))

const fromStart = { certain: -Infinity, gaps: [] }

const writeGap = toEventWriter(Gap)

const Digits = Schema.String.check(Schema.isPattern(/^(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?$/))

const SourceTrade = Schema.Struct({
  id: Schema.String,
  timestamp: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8_640_000_000_000_000 })),
  price: Digits,
  size: Digits,
  cost: Digits,
  side: Schema.Literals(["buy", "sell"])
})

const encodeTrade = Schema.encodeSync(Schema.toCodecJson(TradeInText))

/** Values of a schema. */
const sample = <S extends Schema.Codec<unknown, unknown>>(schema: S): Promise<ReadonlyArray<S["Type"]>> =>
  Effect.runPromise(Arbitrary.sampleEffect(Arbitrary.schema(schema), { count: 100 }))

/** Reads a stream that begins and ends at once. */
const readEnding = (ending: typeof End.Type) =>
  Effect.gen(function* () {
    const body = new Blob([openFrame("7-0x7").slice(), endFrame(ending).slice()])
    const response = new Response(body, { headers: { "content-type": "text/event-stream" } })
    const http = HttpClient.make((request) => Effect.succeed(HttpClientResponse.fromWeb(request, response)))
    const encoded = { path: "/live/blocks/ethereum", query: [] }
    const { next } = yield* connect({ http, options: { baseUrl: "http://model" } }, liveBlocks, encoded)
    return yield* Effect.flip(Effect.forever(next))
  })

describe("clients decode what the service writes", () => {
  it("as a trade", async () => {
    for (const trade of await sample(SourceTrade)) {
      const event: LiveEvent = { name: "trade", cursor: "a1-1", data: tradeJson(trade) }
      const { isWrong, trades } = decodeTradeEvents(parse([event]), fromStart)
      assert.isFalse(isWrong)
      const expected = [{ ...trade, timestamp: String(trade.timestamp) }]
      assert.deepStrictEqual(
        trades.map((one) => encodeTrade(one)),
        expected
      )
    }
  })

  it("as a gap", async () => {
    for (const gap of await sample(Gap)) {
      const event: LiveEvent = { name: "gap", cursor: "b2-2", data: writeGap(gap) }
      assert.deepStrictEqual(decodeTradeEvents(parse([event]), fromStart), { trades: [], gap, isWrong: false })
    }
  })

  it("as a reorg", async () => {
    for (const commonAncestor of await sample(Reorg.fields.commonAncestor)) {
      const [event] = parse([reorgEvent(commonAncestor)])
      const expected: typeof Reorg.Type = { from: commonAncestor.number + 1, commonAncestor }
      assert.deepStrictEqual(decodeReorg(event?.data ?? ""), expected)
    }
  })

  it("as the beginning and the end of a stream", async () => {
    for (const ending of await sample(End)) {
      const { retryAfterMs, why } = await Effect.runPromise(Effect.scoped(readEnding(ending)))
      assert.strictEqual(why, "lost")
      assert.deepStrictEqual(Option.fromUndefinedOr(retryAfterMs), Option.fromNullOr(ending.retryAfterMs))
    }
  })
})

const rowsOf = (heading: string): ReadonlyArray<ReadonlyArray<string>> => {
  const text = readFileSync(join(repository, "docs/live.md"), "utf8")
  const section = text.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? ""
  return section
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    )
}

/** The names of members as the documents show them: `{"a","b":{"c"}}`. */
const toMembers = ({ fields }: { readonly fields: object }): string =>
  `{${Object.entries(fields)
    .map(([name, field]) => `"${name}"${"fields" in field ? `:${toMembers(field)}` : ""}`)
    .join(",")}}`

describe("docs/live.md", () => {
  it("names every event", () => {
    const names = rowsOf("Events").map(([name]) => name)
    const expected = new Set(Object.values(eventNames).flat())
    assert.sameMembers(
      names,
      [...expected].map((name) => `\`${name}\``)
    )
  })

  it.each(Object.entries({ open: Open, gap: Gap, reorg: Reorg, end: End }))(
    "shows the members of %s",
    (name, schema) => {
      const row = rowsOf("Events").find(([cell]) => cell === `\`${name}\``)
      assert.strictEqual(row?.[1], `\`${toMembers(schema)}\``)
    }
  )

  it("explains why a stream ends", () => {
    const reasons = rowsOf("Why a stream ends").map(([reason]) => reason)
    assert.deepStrictEqual(
      reasons,
      End.fields.reason.literals.map((reason) => `\`${reason}\``)
    )
  })

  it("explains the states of a gap", () => {
    const text =
      rowsOf("Events")
        .find(([name]) => name === "`gap`")
        ?.join(" ") ?? ""
    for (const state of Gap.fields.state.literals) assert.include(text, `\`${state}\``)
  })
})
