import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Option, Ref } from "effect"
import { download } from "../../src/cli/download/Download.ts"
import type { DownloadRequest } from "../../src/cli/download/DownloadRequest.ts"
import type { Output, DownloadProgress } from "../../src/cli/download/Output.ts"
import { atStart } from "../../src/cli/download/Output.ts"
import type { Page } from "../../src/cli/download/Pages.ts"
import { Pages } from "../../src/cli/download/Pages.ts"
import { partFile } from "../../src/cli/download/PartFile.ts"
import { isSameRequest } from "../../src/cli/download/PartState.ts"
import { judge } from "../../src/cli/download/Proof.ts"
import { Progress } from "../../src/cli/terminal/Progress.ts"

const quiet = Progress.of({
  begin: () => Effect.void,
  advance: () => Effect.void,
  found: () => Effect.void,
  wait: () => Effect.void,
  say: () => Effect.void
})

const request: DownloadRequest = {
  subject: {
    unit: "swaps",
    name: "a pool",
    shape: { list: "swaps", id: "id", columns: [{ name: "id", member: "id", type: "text" }] },
    maxPage: 10,
    hasUniqueTimes: false,
    isBounded: true
  },
  format: "csv",
  file: Option.none(),
  page: 3,
  force: false,
  range: { _tag: "Between", since: 0, until: 9000 },
  asked: { since: "0", until: "9000", last: "" }
}

const rowsAt = (...seconds: ReadonlyArray<number>) =>
  seconds.map((second) => ({ json: "", id: String(second), time: second * 1000, values: [String(second)] }))

const output: Output = {
  reached: atStart,
  range: { since: 0, until: 9000 },
  append: () => Effect.void,
  finish: Effect.void,
  reachedNow: Effect.succeed(atStart),
  abandon: Effect.void
}

/** Downloads pages that follow each other, and returns the lines. */
const downloaded = Effect.fnUntraced(function* (
  pages: ReadonlyArray<Pick<Page, "rows"> & { readonly hash: string }>,
  reached: DownloadProgress = atStart
) {
  const lines = yield* Ref.make("")
  const asked: Array<Option.Option<number>> = []
  const append: Output["append"] = (text) => Ref.update(lines, (before) => before + text)
  const found = yield* download(request, { ...output, reached, append, reachedNow: Effect.succeed(reached) }).pipe(
    Effect.provideService(Progress, quiet),
    Effect.provideService(
      Pages,
      Pages.of({
        check: Effect.void,
        read: ({ block }) => {
          const { hash = "", rows = [] } = pages[asked.length] ?? {}
          asked.push(block)
          return Effect.succeed({
            rows,
            state: "complete",
            from: Option.none(),
            to: Option.none(),
            gaps: [],
            block: Option.some({ number: 7, hash, isFinal: true })
          })
        }
      })
    )
  )
  return { asked, found, lines: yield* Ref.get(lines) }
})

describe("a download as of a block", () => {
  it.effect("reads each page as of the block of the first one", () =>
    Effect.gen(function* () {
      const { asked, found, lines } = yield* downloaded([
        { rows: rowsAt(1, 2, 3), hash: "0xa" },
        { rows: rowsAt(3, 4), hash: "0xa" }
      ])
      assert.strictEqual(lines, "1\n2\n3\n4\n")
      assert.deepStrictEqual(asked, [Option.none(), Option.some(7)])
      assert.strictEqual(judge(found.proof), "proven complete, as of block 7 (0xa)")
      assert.isFalse(found.endsEarly)
    })
  )

  it.effect("fails if a reorg replaces it, also after an interruption", () =>
    Effect.gen(function* () {
      const between = yield* Effect.flip(
        downloaded([
          { rows: rowsAt(1, 2, 3), hash: "0xa" },
          { rows: rowsAt(3, 4), hash: "0xb" }
        ])
      )
      assert.match(
        between.message,
        /^Block 7 \(0xa\) was replaced by a reorg, .* remove the \.part file to start again\.$/
      )
      const reached: DownloadProgress = {
        rows: 3,
        last: { timestamp: 3000, ids: ["3"] },
        proof: { state: "complete", gaps: [], breaks: [], block: { number: 7, hash: "0xa", isFinal: false } }
      }
      const later = yield* Effect.flip(downloaded([{ rows: rowsAt(3, 4), hash: "0xb" }], reached))
      assert.include(later.message, "was replaced by a reorg")
    })
  )
})

describe("a download of trades", () => {
  it.effect("does not count trades after its end as missing", () =>
    Effect.gen(function* () {
      const limits: Array<number> = []
      const trades = rowsAt(1, 2, 3, 20, 21)
      const found = yield* download(
        { ...request, page: 5, subject: { ...request.subject, isBounded: false } },
        output
      ).pipe(
        Effect.provideService(Progress, quiet),
        Effect.provideService(
          Pages,
          Pages.of({
            check: Effect.void,
            // Trades are missing between those of the seconds 20 and 21.
            read: ({ limit }) => {
              limits.push(limit)
              const rows = trades.slice(0, limit)
              return Effect.succeed({
                rows,
                state: rows.length === trades.length ? "incomplete" : "complete",
                from: Option.some(0),
                to: Option.some(rows.at(-1)?.time ?? 0),
                gaps: [],
                block: Option.none()
              })
            }
          })
        )
      )
      assert.deepStrictEqual(limits, [5, 4])
      assert.deepStrictEqual([found.rows, judge(found.proof)], [3, "proven complete"])
    })
  )
})

describe("a part of a download", () => {
  it("is continued by the same request to the same service only", () => {
    const range = { since: 0, until: 9000 }
    const { asked, format } = request
    const state = {
      version: 4,
      content: "swaps of a pool",
      columns: ["id"],
      format,
      asked,
      ...range,
      bytes: 0,
      reached: atStart
    } as const
    const isSame = (service: string) => isSameRequest({ ...state, service: "http://a/" }, request, service, range)
    assert.deepStrictEqual([isSame("http://a/"), isSame("http://b/")], [true, false])
  })
  it.effect("is not continued with other columns, nor if its state does not name them", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const file = `${yield* files.makeTempDirectoryScoped()}/swaps.csv`
      const open = ({ subject }: Pick<DownloadRequest, "subject">) =>
        Effect.scoped(
          Effect.gen(function* () {
            const part = yield* partFile({ ...request, subject }, "http://a/", file, output.range)
            yield* part.append("1\n", { ...part.reached, rows: part.reached.rows + 1 })
          })
        )
      const { shape } = request.subject
      const columns = [...shape.columns, { name: "origin", member: "origin", type: "text" } as const]
      yield* open(request)
      yield* open(request)
      const wider = yield* Effect.flip(open({ subject: { ...request.subject, shape: { ...shape, columns } } }))
      assert.strictEqual(
        wider.message,
        `"${file}.part" has the columns id, but this command writes id, origin: remove the file to start again, or give ` +
          "another --out."
      )
      const state = `${file}.part.json`
      const text = yield* files.readFileString(state)
      yield* files.writeFileString(state, text.replace('"columns":["id"],', ""))
      assert.include((yield* Effect.flip(open(request))).message, "is not a part of a download that can be continued")
      assert.strictEqual(yield* files.readFileString(`${file}.part`), "id\n1\n1\n")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
