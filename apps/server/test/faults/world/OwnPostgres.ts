import { execFileSync, execSync } from "node:child_process"
import { appendFileSync, chownSync, existsSync, mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { getuid } from "node:process"
import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { keepRunning } from "./Child.ts"
import type { Links } from "./Links.ts"
import { Workshop } from "./Workshop.ts"

const debian = "/usr/lib/postgresql"

/** The folder of the PostgreSQL programs; none if they are not installed. */
export const postgresPrograms: string | undefined = [
  process.env["CHAINTAPE_POSTGRES_BIN"] ?? "",
  ...(existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []).map((version) =>
    join(debian, version, "bin")
  ),
  ...(process.env["PATH"] ?? "").split(":")
].find((folder) => ["initdb", "postgres"].every((program) => folder !== "" && existsSync(join(folder, program))))

/** PostgreSQL does not run as root. */
const ownUser = () => {
  if (getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execSync(`id ${flag} postgres`, { encoding: "utf8" }))
  return { uid: id("-u"), gid: id("-g") }
}

const settings = (port: number, sockets: string) => [
  "-p",
  String(port),
  ...[
    "listen_addresses=*",
    `unix_socket_directories=${sockets}`,
    "max_connections=80",
    "shared_buffers=64MB",
    "max_wal_size=96MB",
    "min_wal_size=32MB"
  ].flatMap((setting) => ["-c", setting])
]

/** A separate PostgreSQL server, which is restarted whenever it ends. */
export const ownPostgres = Effect.fnUntraced(function* (links: Links, port: number, dataDirectory?: string) {
  const { directory } = yield* Workshop
  const programs = postgresPrograms
  if (programs === undefined) return yield* Effect.die(new Error("There is no PostgreSQL on this machine."))
  const user = ownUser()
  const home = dataDirectory ?? join(directory, "postgres")
  const data = join(home, "data")
  mkdirSync(home, { recursive: true })
  if (user !== undefined) chownSync(home, user.uid, user.gid)
  execFileSync(join(programs, "initdb"), ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"], {
    ...user,
    cwd: home,
    stdio: "ignore"
  })
  appendFileSync(join(data, "pg_hba.conf"), "host all all 198.18.0.0/15 trust\n")
  const postgres = [join(programs, "postgres"), "-D", data, ...settings(port, home)]
  const inside = links.inside.length > 0
  const as = user === undefined ? [] : ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", "--"]
  const [command = "", ...args] = inside ? [...links.inside, ...as, ...postgres] : postgres
  const kept = yield* keepRunning({
    name: "postgres",
    command,
    args,
    user: inside ? undefined : user,
    ending: "SIGQUIT"
  })
  const { observer } = links
  const url = (at: { readonly host: string; readonly port: number }) =>
    `postgres://postgres@${at.host}:${at.port}/postgres`
  /** Runs an effect on a connection that no fault affects. */
  const observe = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
    Effect.scoped(Effect.provide(effect, PgClient.layer({ url: Redacted.make(url(observer)), maxConnections: 1 })))
  const answers = observe(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select 1`)).pipe(
    Effect.as(true),
    Effect.catch(() => Effect.succeed(false))
  )
  return { ...kept, home, url, observe, answers }
})
