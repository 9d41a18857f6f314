import { Console, DateTime, Effect, Layer, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Accounts } from "../../accounts/Accounts.ts"
import { AccountStore } from "../../accounts/AccountStore.ts"
import { normalizeEmail } from "../../accounts/Credentials.ts"
import { Invitations } from "../../accounts/Invitations.ts"
import { PasswordResets } from "../../accounts/PasswordResets.ts"
import { Passwords } from "../../accounts/Passwords.ts"
import { Sessions } from "../../accounts/Sessions.ts"
import { AuditLog } from "../../auth/AuditLog.ts"
import { withStore } from "../store/withStore.ts"
import { toFailure, wrongUsage } from "../terminal/CommandError.ts"
import { writeResult, writeLine } from "../terminal/writeLine.ts"

const layer = Accounts.layer("closed").pipe(
  Layer.provideMerge(PasswordResets.layer),
  Layer.provide(Passwords.layer),
  Layer.provide([AccountStore.layer, Sessions.layer]),
  Layer.provideMerge(Layer.mergeAll(AuditLog.layer, Invitations.layer))
)

const maxNoteLength = 100

const createInvitation = Effect.fnUntraced(function* (note: string, days: number) {
  const { create } = yield* Invitations
  const { record } = yield* AuditLog
  const expiresAt = DateTime.add(yield* DateTime.now, { days })
  const code = yield* create({ note, expiresAt })
  yield* record({ kind: "invitation-created", actor: "operator", detail: note })
  return { code, expiresAt }
}, Effect.provide(layer))

const invite = Command.make(
  "invite",
  {
    note: Flag.String("note").pipe(Flag.withDescription("For whom it is, in your words")),
    days: Flag.Int("days").pipe(
      Flag.withDescription("How many days it can be used, 1 to 365; 14 if absent"),
      Flag.withDefault(14)
    )
  },
  Effect.fnUntraced(function* ({ days, note }) {
    if (days < 1 || days > 365) return yield* wrongUsage("--days must be 1 to 365.")
    if (note.trim() === "" || note.length > maxNoteLength || /\p{Cc}/u.test(note))
      return yield* wrongUsage(`--note must have 1 to ${maxNoteLength} printable characters.`)
    const { code, expiresAt } = yield* withStore(createInvitation(note.trim(), days))
    // Only the code is on standard output, for scripts.
    yield* writeLine(code, "the code is lost. Make another one.")
    yield* Console.error(
      `The invitation makes one account, until ${DateTime.formatIsoDateUtc(expiresAt)}. It is shown this once.`
    )
  })
).pipe(Command.withDescription("Makes an invitation for one account, and shows its code once"))

const change = Effect.fnUntraced(function* (email: string, to: "disable" | "enable") {
  const accounts = yield* Accounts
  const account = yield* accounts.findByEmail(normalizeEmail(email) ?? "")
  return Option.isSome(account) && (yield* accounts[to](account.value))
}, Effect.provide(layer))

const email = Argument.String("email").pipe(Argument.withDescription("The account's e-mail address"))

const noAccount = toFailure("There is no account with this e-mail address.")

const isDisabled = toFailure("The account is disabled: enable it first, then make a code.")

const maxHours = 168

const createReset = Effect.fnUntraced(function* (given: string, hours: number) {
  const accounts = yield* Accounts
  const resets = yield* PasswordResets
  const account = yield* accounts.findByEmail(normalizeEmail(given) ?? "")
  if (Option.isNone(account)) return yield* noAccount
  const expiresAt = DateTime.add(yield* DateTime.now, { hours })
  const code = yield* resets.create(account.value, expiresAt)
  if (Option.isNone(code)) return yield* isDisabled
  return { code: code.value, expiresAt }
}, Effect.provide(layer))

const reset = Command.make(
  "reset",
  {
    email,
    hours: Flag.Int("hours").pipe(
      Flag.withDescription(`How many hours the code can be used, 1 to ${maxHours}; 24 if absent`),
      Flag.withDefault(24)
    )
  },
  Effect.fnUntraced(function* (given) {
    if (given.hours < 1 || given.hours > maxHours) return yield* wrongUsage(`--hours must be 1 to ${maxHours}.`)
    const { code, expiresAt } = yield* withStore(createReset(given.email, given.hours))
    yield* writeLine(code, "the code is lost. Make another one.")
    const until = DateTime.formatIso(expiresAt).slice(0, 16).replace("T", " ")
    yield* Console.error(
      `With this code the account gets a new password at /reset-password of the service, once, until ${until} UTC. ` +
        "It is shown this once. Give it to nobody but the account's holder."
    )
  })
).pipe(Command.withDescription("Makes a code with which a lost password is replaced, and shows it once"))

const makeStateCommand = (to: "disable" | "enable", done: string, description: string) =>
  Command.make(
    to,
    { email },
    Effect.fnUntraced(function* (given) {
      if (yield* withStore(change(given.email, to))) return yield* writeResult(done)
      return yield* noAccount
    })
  ).pipe(Command.withDescription(description))

const disable = makeStateCommand(
  "disable",
  "The account is disabled. A running service signs it out at once, and stops accepting its keys within seconds.",
  "Signs an account out, and takes its keys out of use until it is enabled"
)

const enable = makeStateCommand(
  "enable",
  "The account is enabled: its holder can sign in, and its keys work again.",
  "Takes back that an account was disabled"
)

export const accounts = Command.make("accounts").pipe(
  Command.withShortDescription("Invite people, disable accounts and reset passwords, in the service's store"),
  Command.withDescription(
    "Makes invitations, disables accounts and lets lost passwords be replaced in the store of the service, which CHAINTAPE_DATA_DIR or DATABASE_URL names. " +
      "The embedded store is for one process at a time: stop the service before."
  ),
  Command.withSubcommands([invite, disable, enable, reset])
)
