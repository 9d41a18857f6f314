import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Stream, Struct } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, SqlError } from "effect/sql"

type Row = { readonly [column: string]: unknown }

/** What the store returns for a statement with these parameters. */
type Reply = (parameters: ReadonlyArray<unknown>) => Effect.Effect<ReadonlyArray<Row>, SqlError.SqlError>

/** The statements of the folder, as they reach the server: the integration tests run them on PostgreSQL. */
const statements = {
  readClock: "select extract(epoch from clock_timestamp())::float8 * 1000 as time limit 1",
  writeHeartbeat:
    "insert into ownership_instance (name, runner, at) values ($1, $2, clock_timestamp()) " +
    "on conflict (name) do update set runner = excluded.runner, at = excluded.at returning id",
  removeHeartbeat: "delete from ownership_instance where name = $1 or at < clock_timestamp() - interval '1 day'",
  readLiving:
    "select runner from ownership_instance " +
    "where name = $1 or at > clock_timestamp() - $2::int * interval '1 millisecond'",
  takeLease:
    "insert into ownership_lease (name, epoch, owner) values ($1, 1, $2) on conflict (name) do update " +
    "set epoch = ownership_lease.epoch + 1, owner = excluded.owner, taken_at = now() returning epoch::float8 as epoch",
  readStatuses:
    'select name, status, (extract(epoch from clock_timestamp() - at) * 1000)::float8 as "ageMs" from ownership_status',
  publish:
    "with published as ( select name, epoch, status from json_to_recordset($1::text::json) " +
    "as row(name text, epoch bigint, status jsonb) ), held as ( select published.* from published " +
    "join ownership_lease as lease using (name, epoch) ), written as ( insert into ownership_status as known " +
    "(name, epoch, status, at) select name, epoch, status, clock_timestamp() from held on conflict (name) do update " +
    "set epoch = excluded.epoch, status = excluded.status, at = excluded.at where known.epoch <= excluded.epoch ) " +
    "select name from held"
} as const

/** The failure of a store that is away. */
export const storeAway = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({ cause: new Error("The store is away."), message: "The store is away." })
})

/** A store that knows only these statements. Another one, or one that has changed, is a defect. */
export const makeStubStore = (replies: { readonly [name in keyof typeof statements]?: Reply }) => {
  const execute = (text: string, parameters: ReadonlyArray<unknown>) => {
    const statement = text.replaceAll(/\s+/g, " ")
    const name = Struct.keys(statements).find((known) => statements[known] === statement)
    const reply = name === undefined ? undefined : replies[name]
    return reply === undefined ? Effect.die(new Error(`The stub has no reply to: ${statement}`)) : reply(parameters)
  }
  const noOther = Effect.die(new Error("The stub runs single statements only."))
  return SqlClient.make({
    acquirer: Effect.succeed({
      execute,
      executeRaw: () => noOther,
      executeStream: () => Stream.fromEffect(noOther),
      executeValues: () => noOther,
      executeValuesUnprepared: () => noOther,
      executeUnprepared: () => noOther
    }),
    compiler: PgClient.makeCompiler(),
    driver: "stub",
    spanAttributes: []
  }).pipe(Effect.provide(Reactivity.layer))
}

/** A store that counts the epochs of every lease. `epochOf` is that of a name, 0 before it was taken. */
export const makeStubLeases = Effect.fnUntraced(function* () {
  const epochs = new Map<unknown, number>()
  const epochOf = (name: string) => epochs.get(name) ?? 0
  const sql = yield* makeStubStore({
    takeLease: ([name]) =>
      Effect.sync(() => {
        const epoch = (epochs.get(name) ?? 0) + 1
        epochs.set(name, epoch)
        return [{ epoch }]
      })
  })
  return { sql, epochOf }
})
