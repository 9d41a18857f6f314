import { DateTime, Duration, Effect, Option, Redacted, Schema } from "effect"
import { HttpRouter, HttpServerRequest } from "effect/http"
import type { Session } from "../../accounts/Sessions.ts"
import { AuditLog } from "../../auth/AuditLog.ts"
import type { AccountKey, NewAccountKey } from "../../auth/keys/AccountKeys.ts"
import { AccountKeys, keyScopes } from "../../auth/keys/AccountKeys.ts"
import { clearCookie, cookies, toOrigin, readCookie, seal, setCookie, unseal } from "../forms/Browser.ts"
import { toHolder, toPageSession, requireSession, requireSessionOfForm } from "../forms/BrowserSession.ts"
import type { FormBody } from "../forms/FormBody.ts"
import { readOwnForm } from "../forms/FormBody.ts"
import { refusalPage, seeOther } from "../layout/AccountPage.ts"
import { toIssues } from "../layout/Fields.ts"
import type { Issues } from "../layout/Fields.ts"
import { dashboardPage, isDashboardOutcome, lifetimes, maxNameLength } from "./DashboardPage.ts"
import type { WantedKey } from "./DashboardPage.ts"
import { keyGonePage, newKeyPage, revokePage, rotatePage } from "./KeyPages.ts"

const shownDays = 30
const shownEvents = 20

const readDashboard = Effect.fnUntraced(function* (found: Session) {
  const keys = yield* AccountKeys
  const audit = yield* AuditLog
  return {
    signedIn: toPageSession(found),
    keys: yield* keys.list(found.account),
    usage: yield* keys.usage(found.account, shownDays),
    operations: yield* keys.operations(found.account, shownDays),
    events: yield* audit.ofAccount(found.account, shownEvents),
    now: yield* DateTime.now
  }
})

export const showDashboard = requireSession(
  Effect.fnUntraced(function* (found) {
    const { done, key } = yield* HttpServerRequest.ParsedSearchParams
    const outcome = isDashboardOutcome(done) ? done : undefined
    const dashboard = yield* readDashboard(found)
    return dashboardPage({ ...dashboard, outcome, changed: dashboard.keys.find(({ id }) => id === key) })
  })
)

const Handover = Schema.fromJsonString(Schema.Struct({ name: Schema.String, key: Schema.String }))
const encodeHandover = Schema.encodeSync(Handover)
const decodeHandover = Schema.decodeUnknownOption(Handover)

/** How long the browser stores a sealed key, between the form and the page that shows it. */
const handoverTime = Duration.minutes(2)

const handOver = Effect.fnUntraced(function* (session: Session, name: string, key: Redacted.Redacted) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const value = seal(session.token, encodeHandover({ name, key: Redacted.value(key) }))
  return setCookie(request, seeOther("/dashboard/new-key"), cookies.newKey, value, handoverTime)
})

/** Shows a key once: the browser's cookie is then deleted. `example` is the path of a working operation. */
export const showNewKey = (example: string) =>
  requireSession(
    Effect.fnUntraced(function* (found) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const held = Option.fromUndefinedOr(readCookie(request, cookies.newKey)).pipe(
        Option.flatMap((text) => unseal(found.token, text)),
        Option.flatMap(decodeHandover)
      )
      const shown = toPageSession(found)
      const response = Option.match(held, {
        onNone: () => keyGonePage(shown),
        onSome: ({ key, name }) => newKeyPage({ signedIn: shown, name, key, example: `${toOrigin(request)}${example}` })
      })
      return request.method === "HEAD" ? response : clearCookie(request, response, cookies.newKey)
    })
  )

const toWantedKey = (form: FormBody): WantedKey => ({
  name: form.field("name").trim(),
  scopes: form.fields("scope"),
  lifetime: form.field("lifetime") || "0"
})

const nameIssue = (name: string): string | undefined => {
  if (name === "") return "Give the key a name."
  if ([...name].length > maxNameLength) return `Use at most ${maxNameLength} characters for the name.`
  // The last one is the empty pattern of Braille.
  const isVisible = !/\p{Cc}/u.test(name) && /[^\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(name)
  return isVisible ? undefined : "Use characters that can be seen for the name."
}

const readWanted = (wanted: WantedKey, now: DateTime.Utc): NewAccountKey | Issues => {
  const scopes = keyScopes.filter((scope) => wanted.scopes.includes(scope))
  const lifetime = lifetimes.find(({ days }) => String(days) === wanted.lifetime)
  // A scope that does not exist must not create an unrestricted key.
  const isKnown = new Set(wanted.scopes).size === scopes.length
  const issues = toIssues({
    name: nameIssue(wanted.name),
    lifetime: lifetime === undefined ? "Choose when the key expires." : undefined,
    "": isKnown ? undefined : "Choose what the key is limited to."
  })
  if (lifetime === undefined || issues.size > 0) return issues
  return {
    name: wanted.name,
    scopes: scopes.length === 0 ? undefined : scopes,
    expiresAt: lifetime.days === 0 ? undefined : DateTime.add(now, { days: lifetime.days })
  }
}

const isIssues = (read: NewAccountKey | Issues): read is Issues => read instanceof Map

export const submitNewKey = requireSessionOfForm(
  Effect.fnUntraced(function* (found) {
    const form = yield* readOwnForm(found.token)
    const keys = yield* AccountKeys
    const wanted = toWantedKey(form)
    const again = (issues: Issues) =>
      Effect.map(readDashboard(found), (dashboard) => dashboardPage({ ...dashboard, wanted, issues }))
    const read = readWanted(wanted, yield* DateTime.now)
    if (isIssues(read)) return yield* again(read)
    const created = yield* keys.create(yield* toHolder(found), read)
    if (Option.isNone(created))
      return yield* again(toIssues({ "": "You have as many keys as an account may have: revoke one first." }))
    return yield* handOver(found, read.name, created.value.key)
  })
)

const noSuchKey = () =>
  refusalPage(404, "There is no such key", "Your account has no key with this id that could be changed.", {
    href: "/dashboard",
    text: "To the dashboard"
  })

/** The id in the path; none if it is malformed. */
const pathId = Effect.map(HttpRouter.params, ({ id = "" }) => (/^[\w-]{1,64}$/.test(id) ? id : undefined))

/** The key of the path, unless it is revoked, and the other keys with its name that are valid. */
const findKey = Effect.fnUntraced(function* ({ account }: Session) {
  const keys = yield* AccountKeys
  const id = yield* pathId
  const now = yield* DateTime.now
  const isValid = ({ expiresAt }: AccountKey) => expiresAt === undefined || DateTime.isGreaterThan(expiresAt, now)
  const unrevoked = (yield* keys.list(account)).filter(({ revokedAt }) => revokedAt === undefined)
  const key = unrevoked.find((one) => one.id === id)
  if (key === undefined) return undefined
  const others = unrevoked.filter((one) => one.id !== id && one.name === key.name && isValid(one))
  return { key, others, isValid: isValid(key) }
})

export const showRotate = requireSession((found) =>
  Effect.map(findKey(found), (live) =>
    live?.isValid === true ? rotatePage(toPageSession(found), live.key) : noSuchKey()
  )
)

export const showRevoke = requireSession((found) =>
  Effect.map(findKey(found), (live) =>
    live === undefined ? noSuchKey() : revokePage(toPageSession(found), live.key, live.others)
  )
)

export const submitRotate = requireSessionOfForm(
  Effect.fnUntraced(function* (found) {
    yield* readOwnForm(found.token)
    const keys = yield* AccountKeys
    const id = yield* pathId
    const rotated = id === undefined ? Option.none() : yield* keys.rotate(yield* toHolder(found), id)
    if (Option.isNone(rotated)) return noSuchKey()
    return yield* handOver(found, rotated.value.stored.name, rotated.value.key)
  })
)

export const submitRevoke = requireSessionOfForm(
  Effect.fnUntraced(function* (found) {
    yield* readOwnForm(found.token)
    const keys = yield* AccountKeys
    const id = yield* pathId
    const revoked = id === undefined ? Option.none() : yield* keys.revoke(yield* toHolder(found), id)
    return Option.isNone(revoked) ? noSuchKey() : seeOther(`/dashboard?done=revoked&key=${revoked.value.id}`)
  })
)
