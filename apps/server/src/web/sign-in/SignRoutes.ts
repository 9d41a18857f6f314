import { Duration, Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Accounts } from "../../accounts/Accounts.ts"
import type { SignUpError } from "../../accounts/Accounts.ts"
import { maxEmailLength, normalizeEmail, passwordIssue } from "../../accounts/Credentials.ts"
import { PasswordResets } from "../../accounts/PasswordResets.ts"
import { Sessions } from "../../accounts/Sessions.ts"
import { SignInThrottle } from "../../accounts/SignInThrottle.ts"
import { AuditLog } from "../../auth/AuditLog.ts"
import {
  callerAddress,
  forgetSession,
  findSession,
  toHolder,
  toPageSession,
  requireSession,
  signIn,
  withAnonymousSession,
  readAnonymousSecret
} from "../forms/BrowserSession.ts"
import type { FormBody } from "../forms/FormBody.ts"
import { readOwnForm } from "../forms/FormBody.ts"
import { seeOther } from "../layout/AccountPage.ts"
import { toIssues } from "../layout/Fields.ts"
import type { Issues } from "../layout/Fields.ts"
import { isSignOutcome, resetPage, signInPage, signOutPage, signUpPage } from "./SignPages.ts"

/** The values that are filled in again after an error. The password is not. */
const toRefilled = (form: FormBody) => ({
  email: form.field("email").slice(0, maxEmailLength),
  invitation: form.field("invitation").slice(0, maxEmailLength)
})

const readAnonymousForm = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
  readOwnForm(readAnonymousSecret(request))
)

const noAddress = "Write an e-mail address, such as name@example.com."

/** Shows the form again after too many attempts. */
export const refuseAttempt = <E, R>(
  again: (issues: Issues, status: number) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  wait: Duration.Duration
) => {
  const seconds = Math.max(1, Math.ceil(Duration.toSeconds(wait)))
  const minutes = Math.ceil(Duration.toMinutes(wait))
  const issue = `There were too many tries. Wait ${minutes === 1 ? "a minute" : `${minutes} minutes`}, then try again.`
  return Effect.map(again(toIssues({ "": issue }), 429), HttpServerResponse.setHeader("retry-after", String(seconds)))
}

const redirectSignedIn = <E, R>(show: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.flatMap(findSession, (found) => (Option.isSome(found) ? Effect.succeed(seeOther("/dashboard")) : show))

export const showSignUp = redirectSignedIn(
  Effect.flatMap(Accounts, ({ policy }) => withAnonymousSession((token) => signUpPage(policy, { token })))
)

export const showSignIn = redirectSignedIn(
  Effect.gen(function* () {
    const { policy } = yield* Accounts
    const { done } = yield* HttpServerRequest.ParsedSearchParams
    return yield* withAnonymousSession((token) =>
      signInPage({ token, outcome: isSignOutcome(done) ? done : undefined }, policy)
    )
  })
)

/** The only fact revealed about an address with an account is that it cannot have a second one. */
const refusals = {
  closed: ["", "There are no new accounts here at the moment."],
  invitation: ["invitation", "This invitation is unknown, used or too old. Ask the operator for a new one."],
  email: ["email", "This address cannot be used for a new account. Sign in, if you have an account."]
} as const satisfies Record<SignUpError["reason"], readonly [string, string]>

export const submitSignUp = Effect.gen(function* () {
  const accounts = yield* Accounts
  const throttle = yield* SignInThrottle
  const form = yield* readAnonymousForm
  const again = (issues: Issues, status = 422) =>
    withAnonymousSession((token) => signUpPage(accounts.policy, { ...toRefilled(form), token, issues, status }))
  const email = normalizeEmail(form.field("email"))
  const password = form.field("password")
  const issues = toIssues({
    email: email === undefined ? noAddress : undefined,
    password: passwordIssue(password, email)
  })
  if (email === undefined || issues.size > 0) return yield* again(issues)
  const address = yield* callerAddress
  const wait = yield* throttle.signUp(address)
  if (Option.isSome(wait)) return yield* refuseAttempt(again, wait.value)
  return yield* accounts.signUp({ email, password, invitation: form.field("invitation"), address }).pipe(
    Effect.flatMap((account) => signIn(account, "/dashboard?done=welcome")),
    Effect.catchTag("SignUpError", ({ reason }) => again(new Map([refusals[reason]])))
  )
})

export const submitSignIn = Effect.gen(function* () {
  const accounts = yield* Accounts
  const throttle = yield* SignInThrottle
  const form = yield* readAnonymousForm
  const again = (issues: Issues, status = 422) =>
    withAnonymousSession((token) => signInPage({ ...toRefilled(form), token, issues, status }, accounts.policy))
  const email = normalizeEmail(form.field("email"))
  if (email === undefined) return yield* again(toIssues({ email: noAddress }))
  const address = yield* callerAddress
  const wait = yield* throttle.signIn(address, email)
  if (Option.isSome(wait)) return yield* refuseAttempt(again, wait.value)
  const account = yield* accounts.verify({ email, password: form.field("password"), address })
  return Option.isSome(account)
    ? yield* signIn(account.value.id, "/dashboard", account.value.password)
    : yield* again(toIssues({ "": "The e-mail address or the password is wrong." }))
})

/** Also available when signed in: the code may be for another account. */
export const showReset = withAnonymousSession((token) => resetPage({ token }))

const notOpen = "This code is unknown, used or too old, or is for another address. Ask the operator for a new one."

export const submitReset = Effect.gen(function* () {
  const throttle = yield* SignInThrottle
  const resets = yield* PasswordResets
  const form = yield* readAnonymousForm
  const again = (issues: Issues, status = 422) =>
    withAnonymousSession((token) => resetPage({ ...toRefilled(form), token, issues, status }))
  const email = normalizeEmail(form.field("email"))
  const password = form.field("password")
  const code = form.field("code")
  const issues = toIssues({
    email: email === undefined ? noAddress : undefined,
    code: code === "" ? "Write the code that the operator gave you." : undefined,
    password: passwordIssue(password, email)
  })
  if (email === undefined || issues.size > 0) return yield* again(issues)
  const address = yield* callerAddress
  const wait = yield* throttle.reset(address, email)
  if (Option.isSome(wait)) return yield* refuseAttempt(again, wait.value)
  const account = yield* resets.use({ code, email, password, address })
  return Option.isSome(account)
    ? yield* signIn(account.value, "/dashboard?done=password")
    : yield* again(toIssues({ code: notOpen }))
})

export const showSignOut = requireSession((found) => Effect.succeed(signOutPage(toPageSession(found))))

export const submitSignOut = requireSession(
  Effect.fnUntraced(function* (found) {
    yield* readOwnForm(found.token)
    const audit = yield* AuditLog
    const sessions = yield* Sessions
    yield* sessions.end(found.token)
    yield* audit.record({ kind: "signed-out", actor: "account", ...(yield* toHolder(found)) })
    return yield* forgetSession(seeOther("/sign-in"))
  })
)
