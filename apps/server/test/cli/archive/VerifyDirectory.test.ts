import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { lockArchive } from "../../../src/archives/LockArchive.ts"
import { runArchive } from "../../../src/cli/archive/ArchiveRun.ts"
import { verifyDirectory } from "../../../src/cli/archive/VerifyDirectory.ts"

const earlier = fileURLToPath(new URL("../../fixtures/archives/trades", import.meta.url))

/** A copy of the archive of the fixtures. */
const copied = Effect.gen(function* () {
  const directory = `${yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()}/trades`
  cpSync(earlier, directory, { recursive: true })
  return directory
})

const verified = (directory: string) => verifyDirectory(directory, () => Effect.void)

/** What a verification says of the archive with one bit of a file flipped, in turn at many positions from `from` on. */
const flipEach = (directory: string, name: string, from: number) =>
  Effect.gen(function* () {
    const path = `${directory}/${name}`
    const bytes = readFileSync(path)
    const sentences: Array<string> = []
    for (let at = from; at < bytes.length; at += 19) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
      writeFileSync(path, flipped)
      const found = yield* verified(directory).pipe(
        Effect.map(({ wrong }) => wrong.join(" ")),
        Effect.catch(({ message }) => Effect.succeed(message))
      )
      sentences.push(found)
    }
    writeFileSync(path, bytes)
    return sentences
  })

describe("the verification of an archive", () => {
  it.effect("accepts the archive of an earlier version", () =>
    Effect.gen(function* () {
      const { days, proven, title, wrong } = yield* verified(yield* copied)
      assert.deepStrictEqual(wrong, [])
      assert.deepStrictEqual([title, days, proven], ["BTC/USDT on binance", 4, 1])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("names a flipped bit of a file, of the hashes and of the entries", () =>
    Effect.gen(function* () {
      const directory = yield* copied
      const from = readFileSync(`${directory}/manifest.json`, "utf8").indexOf('"days"')
      for (const name of readdirSync(directory)) {
        const sentences = yield* flipEach(directory, name, name === "manifest.json" ? from : 0)
        for (const [at, sentence] of sentences.entries()) assert.notStrictEqual(sentence, "", `${name}, flip ${at}`)
        if (name !== "manifest.json") assert.include(sentences[9], `/${name}" is not what `)
      }
      assert.deepStrictEqual((yield* verified(directory)).wrong, [])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("names a file of rows that has no entry, which a query of the directory would read", () =>
    Effect.gen(function* () {
      const directory = yield* copied
      const [day = ""] = readdirSync(directory).filter((name) => name.endsWith(".parquet"))
      cpSync(`${directory}/${day}`, `${directory}/2031-01-01.parquet`)
      writeFileSync(`${directory}/2031-01-01.parquet.part`, "")
      const { wrong } = yield* verified(directory)
      assert.deepStrictEqual(wrong, [
        `"${directory}/2031-01-01.parquet" has no entry in the manifest: give the command that writes the archive again, and remove the file if it has none then.`
      ])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("says what to do about a file in place of the directory, as the commands that write an archive do", () =>
    Effect.gen(function* () {
      const file = `${yield* copied}/manifest.json`
      const run = <A, E extends { readonly message: string }, R>(work: Effect.Effect<A, E, R>) =>
        Effect.flip(runArchive(() => work))
      for (const work of [verified(file), Effect.scoped(lockArchive(file))]) {
        const { message } = yield* run(work)
        assert.match(message, /^The archive is no directory: give the directory of one, or another --out\. \(E[A-Z]+: /)
      }
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("refuses a kind that it does not know", () =>
    Effect.gen(function* () {
      const directory = yield* copied
      const path = `${directory}/manifest.json`
      writeFileSync(path, readFileSync(path, "utf8").replace("{", '{ "kind": "candles",'))
      const { message } = yield* Effect.flip(verified(directory))
      assert.include(message, 'is of an archive of "candles", which this version of Chaintape does not know.')
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
