import * as BlocksOperations from "@chaintape/core/operations/blocks"
import * as CexOperations from "@chaintape/core/operations/cex"
import * as DexOperations from "@chaintape/core/operations/dex"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { instant } from "../src/internal/decode/instant.ts"
import { decodeInPlace, reader } from "../src/internal/decode/jsonDecoder.ts"
import { refused } from "../src/internal/decode/reader.ts"
import { SystemOperations } from "../src/operations.ts"
import { MillisecondsText, SecondsText } from "../src/time/Timestamp.ts"
import { change, chooser, wireOf } from "./WireValues.ts"

const operations = [BlocksOperations, CexOperations, DexOperations, SystemOperations].flatMap((group) =>
  Object.values(group).filter((value) => "success" in value)
)

const seeds: [typeof Schema.Int] = [Schema.Int]
const names = operations.map((operation) => ({ name: `${operation.group}.${operation.name}`, operation }))

describe.each(names)("the reader of $name", ({ operation }) => {
  const codec = Schema.toCodecJson<Schema.Codec<unknown, unknown>>(operation.success)
  const plain = Schema.decodeUnknownExit(codec)
  const encoded = SchemaAST.toEncoded(codec.ast)
  const read = reader(operation.success)
  const agree = (text: string) => {
    const expected = plain(JSON.parse(text))
    const found = read(JSON.parse(text))
    if (Exit.isSuccess(expected)) assert.deepStrictEqual(found, expected.value, text)
    else assert.strictEqual(found, refused, text)
    return Exit.isSuccess(expected)
  }

  it.prop("reads what the schema reads", seeds, ([seed]) => {
    const isRead = agree(JSON.stringify(wireOf(encoded, chooser(seed))))
    assert.isTrue(isRead, "the generated JSON is of the schema's form")
  })

  it.prop("agrees with the schema on JSON that is a little different", seeds, ([seed]) => {
    const choose = chooser(seed)
    const once = change(wireOf(encoded, choose), choose)
    agree(JSON.stringify(once))
    agree(JSON.stringify(change(once, choose)))
  })

  it.effect.prop("has the schema's reason of a failure, although the object was read in place", seeds, ([seed]) =>
    Effect.gen(function* () {
      const choose = chooser(seed)
      const text = JSON.stringify(change(wireOf(encoded, choose), choose))
      const expected = yield* Effect.exit(Effect.mapError(Schema.decodeUnknownEffect(codec)(JSON.parse(text)), String))
      const decoded = decodeInPlace(operation.success)(text)
      assert.isDefined(decoded)
      const told = yield* Effect.exit(Effect.mapError(decoded, String))
      assert.deepStrictEqual(told, expected)
    })
  )
})

describe("the reader of a time", () => {
  const digits = Schema.String.check(Schema.isPattern(/^\d{0,18}$/))

  it.prop("agrees with the schema on every length of digits", [digits], ([text]) => {
    for (const schema of [MillisecondsText, SecondsText]) {
      const expected = Schema.decodeUnknownExit(schema)(text)
      const found = reader(schema)(text)
      assert.deepStrictEqual(found, Exit.isSuccess(expected) ? expected.value : refused)
    }
  })

  it.prop("makes what DateTime makes", [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 8e15 }))], ([ms]) => {
    const made = instant(ms)
    const expected = DateTime.makeUnsafe(ms)
    assert.deepStrictEqual(made, expected)
    assert.isTrue(DateTime.isUtc(made) && Equal.equals(made, expected))
    assert.strictEqual(DateTime.formatIso(made), DateTime.formatIso(expected))
    assert.deepStrictEqual(DateTime.toPartsUtc(made), DateTime.toPartsUtc(expected))
    assert.strictEqual(JSON.stringify(made), JSON.stringify(expected))
    assert.strictEqual(DateTime.toEpochMillis(DateTime.add(made, { hours: 1 })), ms + 3_600_000)
  })
})
