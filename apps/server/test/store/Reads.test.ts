import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const source = fileURLToPath(new URL("../../src/", import.meta.url))

const oneRow = "one row: the columns are a key"
const oneAggregate = "one row: an aggregate"
const asked = "a row for each that the statement is given"
const stateOfIndex = "the tokens, pools and ticks of a deployment, which are in memory while it is indexed"

/** How many rows a read without `limit` can return: its file, its beginning, and the bound. */
const bounds: ReadonlyArray<readonly [file: string, beginning: string, bound: string]> = [
  ["accounts/AccountStore.ts", "select ${} from account where", "one row: the columns that are asked for are keys"],
  ["accounts/Invitations.ts", "select 1 from invitation where digest", oneRow],
  ["accounts/PasswordResets.ts", "select account.id as account from password_reset", oneRow],
  ["accounts/Sessions.ts", "select account.id as account, account.email from account_session", oneRow],
  ["auth/AuditLog.ts", "select distinct address from audit_event", "the addresses of an account within 90 days"],
  ["auth/keys/ApiKeyStore.ts", "select k.id, k.digest", oneRow],
  [
    "auth/keys/ApiKeyStore.ts",
    "select 1 from api_key where name",
    "the keys of one name that the operator has created"
  ],
  ["auth/keys/AccountKeyRows.ts", "select ${} from api_key where account = ${} and id", oneRow],
  [
    "auth/keys/AccountKeyRows.ts",
    "select id from api_key",
    "the keys of an account that were active in the given days"
  ],
  ["auth/keys/AccountKeyRows.ts", "select 1 from account where id", oneRow],
  ["auth/usage/UsageStore.ts", "select key, to_char(day", "a row for each key that is given and each of its days"],
  ["auth/usage/UsageStore.ts", "select operation, sum(requests)", "a row for each operation of the service"],
  ["auth/usage/UsageStore.ts", "with given as", asked],
  ["cex/dumps/SqlImports.ts", "select file, rows", "the imported files of a market"],
  ["cex/dumps/SqlImports.ts", "select dropped_before", oneRow],
  ["cex/dumps/SqlImports.ts", "select string_agg", oneAggregate],
  [
    "cex/tape/store/SqlTapeCandles.ts",
    "select start, open, high",
    "the minutes of a limited statement, of which it is a part"
  ],
  [
    "cex/tape/store/SqlTapeCandles.ts",
    "select start / ${}",
    "the minutes of a limited statement, of which it is a part"
  ],
  ["cex/tape/store/SqlTapeDays.ts", "select relname", "the days of the tape that retention has left"],
  ["cex/tape/store/SqlTape.ts", "select from_sequence::float8 as from", "the ranges of a market between its gaps"],
  ["cex/tape/store/SqlTape.ts", "select id, exchange, market", oneRow],
  ["cex/tape/store/SqlTapeReads.ts", "select market, min(from_time)", "the recorded markets of an exchange"],
  ["cex/tape/store/SqlTapeReads.ts", "select coalesce(sum(", oneAggregate],
  ["cex/tape/store/SqlTapeRetention.ts", "select coalesce(sum(", oneAggregate],
  ["cex/tape/store/SqlTapeRetention.ts", "select id from tape_series", "the recorded markets"],
  ["cex/tape/store/SqlTapeRetention.ts", "select series, count(*)", "the recorded markets"],
  ["cli/operator/OperatorKeys.ts", "select ${} from api_key k", "all keys, on the command line of the operator"],
  ["cli/operator/OperatorKeys.ts", "with changed as", oneRow],
  ["dex/index/archive/ClosedDays.ts", "select id as deployment", oneRow],
  ["dex/index/archive/ClosedDays.ts", "select number, hash from dex_block", asked],
  ["dex/index/archive/ClosedDays.ts", "select days.day", "a row for each day since the last archived one"],
  ["dex/index/read/SqlSnapshot.ts", 'select rewinds as "rewindCount" from dex_index', oneRow],
  ["dex/index/read/SqlSnapshot.ts", "with known as materialized", oneRow],
  ["dex/index/store/SqlBlocks.ts", "select number, hash from dex_block", "the blocks that are not final"],
  ["dex/index/store/SqlBlocks.ts", "select id, token0, token1 from dex_pool", asked],
  ["dex/index/store/SqlBlocks.ts", "select proven as number", oneRow],
  ["dex/index/store/SqlEntityStore.ts", "select id from dex_index where key = ${}", oneRow],
  ["dex/index/store/SqlState.ts", "select ${} from dex_token", stateOfIndex],
  ["dex/index/store/SqlState.ts", "select ${} from dex_pool", stateOfIndex],
  ["dex/index/store/SqlState.ts", "with change as materialized", stateOfIndex],
  ["dex/index/store/SqlVersions.ts", "with copied as", oneAggregate],
  ["dex/index/store/SqlVersions.ts", "with ended as materialized", asked],
  ["ownership/Heartbeats.ts", "select runner from ownership_instance", "the running instances"],
  ["ownership/Lease.ts", "select set_config", oneRow],
  ["ownership/PublishedStatuses.ts", "with published as", asked],
  ["ownership/PublishedStatuses.ts", "select name, status", "the markets and deployments of the configuration"]
]

/** The text of a template literal that begins at `from`, with `${}` for each of its values, however nested they are. */
const toText = (text: string, from: number): string => {
  const open = ["`"]
  let found = ""
  for (let at = from; open.length > 0; at++) {
    const [char = "", inside] = [text[at], open.at(-1)]
    if (char === "") throw new Error(`The literal at ${from} has no end`)
    if (inside === "`" && char === "$" && text[at + 1] === "{") {
      if (open.length === 1) found += "${}"
      open.push("{")
      at++
    } else if (char === (inside === "`" ? "`" : "}")) open.pop()
    else if (inside === "{" && (char === "`" || char === "{")) open.push(char)
    else if (open.length === 1) found += char
  }
  return found.replace(/\s+/g, " ").trim()
}

const findReads = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/\bsql(?:<[^`]*>)?`/g)]
    .map(({ 0: tag, index }) => toText(text, index + tag.length))
    .filter((statement) => /^(select|with)\b/i.test(statement))

const isLimited = (statement: string) => /\blimit \$\{\}|\blimit \d/i.test(statement) || !/\bfrom\b/i.test(statement)

const reads = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.startsWith("store/migrations/"))
  .flatMap((file) => findReads(readFileSync(`${source}${file}`, "utf8")).map((statement) => ({ file, statement })))

const isStated = ({ file, statement }: (typeof reads)[number]) =>
  bounds.some(([of, beginning]) => of === file && statement.startsWith(beginning))

describe("a read of the store", () => {
  it("has a limit, or another bound that is stated here", () => {
    assert.deepStrictEqual(
      reads.filter((read) => !isLimited(read.statement) && !isStated(read)),
      []
    )
  })

  it("is not stated here when it is gone or has a limit", () => {
    const unlimited = reads.filter(({ statement }) => !isLimited(statement))
    const stale = bounds.filter(
      ([of, beginning]) => !unlimited.some(({ file, statement }) => of === file && statement.startsWith(beginning))
    )
    assert.deepStrictEqual(stale, [])
  })

  it("is recognized in a nested literal", () => {
    const text = "sql`select a from b ${last ? sql`where c = ${{ d: `}` }}` : sql``} order by e`"
    assert.deepStrictEqual(findReads(text), ["select a from b ${} order by e"])
    assert.isFalse(isLimited("select a from b order by limited"))
    assert.isTrue(isLimited("select a from b limit ${}"))
    assert.isAbove(reads.filter(({ statement }) => isLimited(statement)).length, 20)
  })
})
