import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const source = fileURLToPath(new URL("../../src/", import.meta.url))

/** Statements that wait for a lock behind which readers and writers of the whole table wait, or all instances. */
const strong =
  /sql`\s*(lock table|drop table|truncate|alter table|create (unique )?index|reindex|cluster|select pg_advisory_)/gi

/** A limit in the function that has the statement, above it. */
const isLimited = (text: string, at: number) =>
  text.slice(text.lastIndexOf("function* (", at), at).includes("limitLockWaits(")

const findUnlimited = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(strong)].filter(({ index }) => !isLimited(text, index)).map(([statement]) => statement)

/** All migrations run within the limit of `Database.ts`, which a test of them shows. */
const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".ts") && !name.startsWith("store/migrations/")
)

describe("a statement that takes a strong lock", () => {
  it("waits for it no longer than a limit", () => {
    const found = files.flatMap((name) => {
      const text = readFileSync(`${source}${name}`, "utf8")
      return findUnlimited(text).map((statement) => `${name}: ${statement}`)
    })
    assert.deepStrictEqual(found, [])
  })

  it("is recognized without one", () => {
    const within = (body: string) => `Effect.gen(function* () {\n${body}\n})`
    assert.lengthOf(findUnlimited(within("yield* sql`drop table one`")), 1)
    assert.lengthOf(findUnlimited(within("yield* limitLockWaits(sql, 1)\nyield* sql`lock table one`")), 0)
    assert.lengthOf(findUnlimited(`${within("yield* limitLockWaits(sql, 1)")}\n${within("sql`alter table one`")}`), 1)
    const statements = files.map((name) => readFileSync(`${source}${name}`, "utf8")).join("\n")
    assert.isAtLeast([...statements.matchAll(strong)].length, 4)
  })
})
