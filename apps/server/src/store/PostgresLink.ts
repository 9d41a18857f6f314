import { connect } from "node:net"
import type { NetConnectOpts, Socket } from "node:net"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Predicate, Redacted } from "effect"
import type { Scope } from "effect"
import { SqlError } from "effect/sql"

const checkInterval = "2 seconds"
/** Longer than a healthy server needs to reply to a statement that reads nothing. */
const replyTimeout = "5 seconds"
const pauseOfSilence = "1 second"
/** The server ends every statement and every idle transaction sooner. */
const maxSilenceMs = 150_000
const keepAliveMs = 10_000

/** The address in a URL, as the driver reads it. */
const toAddress = (url: Redacted.Redacted): NetConnectOpts => {
  const { hostname, port: given, searchParams } = new URL(Redacted.value(url))
  const named = searchParams.get("host") ?? decodeURIComponent(hostname.replace(/^\[(.*)\]$/, "$1"))
  const host = named === "" ? "localhost" : named
  const port = Number(searchParams.get("port") ?? (given === "" ? 5432 : given))
  return host.startsWith("/")
    ? { path: `${host}/.s.PGSQL.${port}` }
    : { host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveMs }
}

const openSocket = (url: Redacted.Redacted): Socket =>
  // The driver does not listen to a socket that it uses through TLS.
  connect(toAddress(url)).on("error", () => {})

/** The server's own reply, such as to too many connections. */
const isReply = (error: unknown): boolean =>
  SqlError.isSqlError(error) && Predicate.hasProperty(error.reason.cause, "severity")

const silentServer = () => new Error("The PostgreSQL server does not answer")

/** After a pause of this process its timers fire before it reads the replies that wait. */
const late = Effect.andThen(Effect.sleep(replyTimeout), Effect.sleep("200 millis"))

/**
 * A connection whose statement gets a reply every two seconds. Fails where there is none. A statement that is interrupted
 * waits for the server, so that a late one ends with its socket.
 */
const watch = Effect.fnUntraced(function* (
  url: Redacted.Redacted,
  { onLate, onReply }: { readonly onLate: Effect.Effect<void>; readonly onReply: Effect.Effect<void> }
) {
  const opened: Array<Socket> = []
  const end = Effect.sync(() => opened.forEach((socket) => void socket.destroy(silentServer())))
  yield* Effect.addFinalizer(() => end)
  const stream = () => {
    const socket = openSocket(url)
    opened.push(socket)
    return socket
  }
  const session = yield* PgConnection.make({ url, stream, connectTimeout: replyTimeout })
  const bound = late.pipe(Effect.andThen(onLate), Effect.andThen(end), Effect.forkScoped)
  const sendProbe = Effect.scoped(Effect.andThen(bound, session.query("select 1", [], false)))
  return yield* Effect.forever(Effect.andThen(sendProbe, Effect.andThen(onReply, Effect.sleep(checkInterval))))
}, Effect.scoped)

/**
 * The sockets to a PostgreSQL server. A server that becomes silent, or a network that loses connections without a word,
 * leaves statements that never end, and connections that the pool counts as good. Where a connection of its own gets no
 * reply, this closes all sockets, which fails their statements, and opens no other one until the server replies again.
 */
export const openPostgresLink = Effect.fnUntraced(function* (
  url: Redacted.Redacted
): Effect.fn.Return<() => Socket, never, Scope.Scope> {
  const sockets = new Set<Socket>()
  let isSilent = false
  let failures = 0

  const onReply = Effect.suspend(() => {
    failures = 0
    if (!isSilent) return Effect.void
    isSilent = false
    return Effect.logInfo("The PostgreSQL server answers again.")
  })
  const onLate = Effect.suspend(() => {
    if (isSilent) return Effect.void
    isSilent = true
    for (const socket of sockets) socket.destroy(silentServer())
    return Effect.logError("The PostgreSQL server does not answer: its connections are closed until it does.")
  })
  const failed = (error: unknown) =>
    Effect.suspend(() => {
      if (isReply(error)) return onReply
      failures += 1
      // The server may have ended one connection only.
      return failures > 1 ? Effect.andThen(onLate, Effect.sleep(pauseOfSilence)) : Effect.void
    })
  yield* watch(url, { onLate, onReply }).pipe(
    Effect.catch(failed),
    Effect.forever,
    Effect.delay(checkInterval),
    Effect.forkScoped
  )
  return () => {
    if (isSilent) throw silentServer()
    const socket = openSocket(url)
    sockets.add(socket)
    return socket
      .on("close", () => sockets.delete(socket))
      .setTimeout(maxSilenceMs, () => socket.destroy(silentServer()))
  }
})
