import { Clock, Console, DateTime, Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { keyScopes } from "../../auth/keys/AccountKeys.ts"
import type { KeyScope } from "../../auth/keys/AccountKeys.ts"
import { bootstrap } from "../../auth/keys/BootstrapKey.ts"
import { toOneLine } from "../../internal/log/oneLine.ts"
import { withStore } from "../store/withStore.ts"
import { toFailure, wrongUsage } from "../terminal/CommandError.ts"
import { toIso, parseTimeArgument } from "../terminal/TimeArgument.ts"
import { writeResult, writeLine } from "../terminal/writeLine.ts"
import type { OperatorKey } from "./OperatorKeys.ts"
import { createKey, listKeys, revokeKey, setPlan } from "./OperatorKeys.ts"

/** As the configuration allows it. */
const isPlanName = (text: string): boolean => /^[a-z0-9][a-z0-9-]{0,62}$/u.test(text)

const isScope = (text: string): text is KeyScope => keyScopes.some((scope) => scope === text)

const toScopes = Effect.fnUntraced(function* (given: Option.Option<string>) {
  if (Option.isNone(given)) return undefined
  const words = [...new Set(given.value.split(",").map((word) => word.trim()))]
  const scopes = words.filter(isScope)
  if (scopes.length === words.length) return scopes
  return yield* wrongUsage(`--scopes is "${given.value}": it must be some of ${keyScopes.join(",")}.`)
})

/** A duration from now, or a date and time. */
const toExpiry = Effect.fnUntraced(function* (given: Option.Option<string>) {
  if (Option.isNone(given)) return undefined
  const now = yield* Clock.currentTimeMillis
  const isDuration = /^(\d+[smhdw])+$/.test(given.value)
  const ms = Option.map(parseTimeArgument(given.value, isDuration ? 2 * now : now), (found) =>
    isDuration ? 3 * now - found : found
  )
  if (Option.isNone(ms)) {
    return yield* wrongUsage(
      `--expires is "${given.value}": it must be a duration such as 90d, or a day such as 2027-01-31.`
    )
  }
  if (ms.value <= now) return yield* wrongUsage(`--expires is ${toIso(ms.value)}, which is past.`)
  return DateTime.makeUnsafe(ms.value)
})

const getName = Effect.fnUntraced(function* (text: string) {
  const name = text.trim()
  if (name === "" || name.length > 100 || /\p{Cc}/u.test(name)) {
    return yield* wrongUsage("--name must have 1 to 100 printable characters.")
  }
  if (name === bootstrap) {
    return yield* wrongUsage(
      `--name must not be "${bootstrap}": the next start with CHAINTAPE_BOOTSTRAP_KEY removes other keys of this name.`
    )
  }
  return name
})

const create = Command.make(
  "create",
  {
    name: Flag.String("name").pipe(Flag.withDescription("What the key is for, in your words")),
    scopes: Flag.String("scopes").pipe(
      Flag.withMetavar("LIST"),
      Flag.withDescription("Groups of operations that it is limited to: some of cex,dex,blocks; all if absent"),
      Flag.optional
    ),
    expires: Flag.String("expires").pipe(
      Flag.withMetavar("TIME"),
      Flag.withDescription("When it ends: a duration from now such as 90d, or ISO 8601; never if absent"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* (input) {
    const name = yield* getName(input.name)
    const scopes = yield* toScopes(input.scopes)
    const expiresAt = yield* toExpiry(input.expires)
    const { id, key } = yield* withStore(createKey({ name, scopes, expiresAt }))
    // Only the key is on standard output, for scripts.
    yield* writeLine(Redacted.value(key), `the key ${id} is lost. Revoke it, and create another one.`)
    yield* Console.error(`The key ${id} ("${name}") is valid from now on. It is shown this once: keep it.`)
  })
).pipe(Command.withDescription("Makes a key that belongs to no account, and shows it once"))

const getState = ({ expiresAt, revokedAt }: OperatorKey, now: number): string => {
  if (revokedAt !== null) return "revoked"
  return expiresAt !== null && DateTime.toEpochMillis(expiresAt) <= now ? "expired" : "valid"
}

const getDay = (time: DateTime.Utc | null) => (time === null ? "-" : DateTime.formatIsoDateUtc(time))

const aligned = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const keys = yield* withStore(listKeys)
    const now = yield* Clock.currentTimeMillis
    const rows = keys.map((key) => [
      key.id,
      getState(key, now),
      getDay(key.createdAt),
      getDay(key.expiresAt),
      getDay(key.lastUsedAt),
      key.scopes?.join(",") ?? "all",
      toOneLine(key.plan ?? "default"),
      toOneLine(key.account ?? "-"),
      toOneLine(key.name)
    ])
    yield* writeResult(
      aligned([["ID", "STATE", "CREATED", "EXPIRES", "LAST USED", "SCOPES", "PLAN", "ACCOUNT", "NAME"], ...rows])
    )
  })
).pipe(Command.withDescription("Lists the keys, those of accounts too; the keys themselves are stored nowhere"))

const keyId = Argument.String("id").pipe(Argument.withDescription("The key's id, as `keys list` shows it"))

const noKey = (id: string) =>
  toFailure(`There is no key with the id "${toOneLine(id).slice(0, 40)}": \`chaintape keys list\` lists them.`)

const plan = Command.make(
  "plan",
  {
    id: keyId,
    plan: Argument.String("plan").pipe(
      Argument.withDescription("The name of a plan under limits.plans of the configuration, or default")
    )
  },
  Effect.fnUntraced(function* ({ id, plan }) {
    if (!isPlanName(plan)) {
      return yield* wrongUsage(
        `The plan is "${toOneLine(plan).slice(0, 40)}": it must be the name of one under limits.plans, or default.`
      )
    }
    const name = yield* withStore(setPlan(id, plan))
    if (name === undefined) return yield* noKey(id)
    yield* writeResult(`The key ${id} ("${toOneLine(name)}") has the plan "${plan}" from now on.`)
  })
).pipe(Command.withDescription("Gives a key a plan, with which a running service limits it within a second"))

const revoke = Command.make(
  "revoke",
  { id: keyId },
  Effect.fnUntraced(function* ({ id }) {
    const before = yield* withStore(revokeKey(id))
    if (before === undefined) return yield* noKey(id)
    const { name, revokedAt } = before
    yield* writeResult(
      revokedAt === null
        ? `The key ${id} ("${toOneLine(name)}") is revoked. A running service stops accepting it within a second.`
        : `The key ${id} ("${toOneLine(name)}") was revoked before, on ${getDay(revokedAt)}.`
    )
  })
).pipe(Command.withDescription("Revokes a key, for good"))

export const keys = Command.make("keys").pipe(
  Command.withShortDescription("Make, list, limit and revoke keys in the service's store"),
  Command.withDescription(
    "Makes, lists, limits and revokes keys in the store of the service, which CHAINTAPE_DATA_DIR or DATABASE_URL names. The " +
      "embedded store is for one process at a time: stop the service before."
  ),
  Command.withSubcommands([create, list, plan, revoke])
)
