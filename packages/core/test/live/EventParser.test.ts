import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { makeEventParser, type ServerEvent } from "../../src/internal/live/eventParser.ts"

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** Chunks of a stream that the service, a proxy or an attacker could write. */
const lineEnds = ["\n", "\r", "\r\n", "\n\n", "\r\r", "\r\n\r\n"] as const
const fields = [
  "data: {}",
  "data:",
  "data",
  "data:  two",
  "data: a:b",
  "event: trade",
  "event:",
  "id: 7-a",
  "id"
] as const
const others = [":", ": heartbeat", "retry: 1000", "unknown: x", "\u{FEFF}", " data: x", "end", "id: a\0b"] as const
const letters = ["data: Zürich 東京 🪙", "event: \u{FEFF}é"] as const
const parts = Schema.Array(Schema.Literals([...lineEnds, ...fields, ...others, ...letters])).check(
  Schema.isMaxLength(40)
)
const cuts = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9 }))).check(Schema.isMaxLength(60))

/** The format as its specification defines it, for a whole stream at once. */
const read = (whole: string): ReadonlyArray<ServerEvent> => {
  const lines = whole.replace(/^\u{FEFF}/u, "").split(/\r\n|\r|\n/)
  // Text without a line end after it is not a line.
  lines.pop()
  const events: Array<ServerEvent> = []
  let [name, id, data]: [string, string, Array<string>] = ["", "", []]
  for (const line of lines) {
    if (line === "") {
      if (data.length > 0) events.push({ name, id, data: data.join("\n") })
      ;[name, data] = ["", []]
      continue
    }
    const [, key = line, value = ""] = /^([^:]*):? ?(.*)$/su.exec(line) ?? []
    if (key === "event") name = value
    if (key === "data") data.push(value)
    if (key === "id" && !value.includes("\0")) id = value
  }
  return events
}

/** The bytes in chunks of the given sizes, repeatedly. */
const cut = (bytes: Uint8Array, sizes: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  for (let from = 0, at = 0; from < bytes.length; at++) {
    const size = sizes[at % sizes.length] ?? bytes.length
    pieces.push(bytes.subarray(from, from + size))
    from += size
  }
  return pieces
}

describe("server-sent events", () => {
  it.effect.prop("are the same wherever their bytes are cut", [parts, cuts], ([texts, sizes]) =>
    Effect.sync(() => {
      const text = texts.join("")
      const parser = makeEventParser()
      const events = cut(bytesOf(text), sizes).flatMap((piece) => parser.push(piece))
      assert.deepStrictEqual(events, read(text))
    })
  )

  it("do not end where the two bytes of a line end come apart", () => {
    const parser = makeEventParser()
    const events = ["data: a\r", "\ndata: b\r", "\n\r", "\n"].flatMap((piece) => parser.push(bytesOf(piece)))
    assert.deepStrictEqual(events, [{ name: "", id: "", data: "a\nb" }])
  })

  it("are read as the service writes them", () => {
    const parser = makeEventParser()
    const text =
      'retry: 1000\n\nevent: open\nid: s1\ndata: {"cursor":"s1"}\n\n: \n\nevent: trade\nid: a1-5\ndata: {"id":"1"}\n\n'
    assert.deepStrictEqual(parser.push(bytesOf(text)), [
      { name: "open", id: "s1", data: '{"cursor":"s1"}' },
      { name: "trade", id: "a1-5", data: '{"id":"1"}' }
    ])
    assert.strictEqual(parser.held(), 0)
  })

  it("keep the id of the one before where they have none", () => {
    const parser = makeEventParser()
    const events = parser.push(bytesOf("id: 1\ndata: a\n\ndata: b\n\n"))
    assert.deepStrictEqual(
      events.map(({ id }) => id),
      ["1", "1"]
    )
  })

  it("that are incomplete are buffered, and their size is counted", () => {
    const parser = makeEventParser()
    for (let part = 0; part < 10; part++) assert.lengthOf(parser.push(bytesOf("data: " + "x".repeat(994))), 0)
    assert.strictEqual(parser.held(), 10_000)
    assert.lengthOf(parser.push(bytesOf("\n\n")), 1)
    assert.strictEqual(parser.held(), 0)
  })
})
