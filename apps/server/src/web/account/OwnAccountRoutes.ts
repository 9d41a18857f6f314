import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { passwordIssue } from "../../accounts/Credentials.ts"
import { OwnAccount } from "../../accounts/OwnAccount.ts"
import type { Session } from "../../accounts/Sessions.ts"
import { SignInThrottle } from "../../accounts/SignInThrottle.ts"
import { forgetSession, toPageSession, requireSession, requireSessionOfForm, signIn } from "../forms/BrowserSession.ts"
import { readOwnForm } from "../forms/OwnForm.ts"
import { seeOther } from "../layout/AccountPage.ts"
import type { Issues } from "../layout/Fields.ts"
import { callerAddress, withRetryAfter, waitSentence } from "../sign-in/SignRoutes.ts"
import { deleteAccountPage, ownAccountPage } from "./OwnAccountPages.ts"

export const showAccount = requireSession(
  Effect.fnUntraced(function* (found) {
    const { done } = yield* HttpServerRequest.ParsedSearchParams
    return ownAccountPage({ signedIn: toPageSession(found), isChanged: done === "password" })
  })
)

export const showDelete = requireSession((found) =>
  Effect.succeed(deleteAccountPage({ signedIn: toPageSession(found) }))
)

const keepIssues = (issues: ReadonlyArray<readonly [string, string | undefined]>): Issues =>
  new Map(issues.flatMap(([name, issue]) => (issue === undefined ? [] : [[name, issue] as const])))

const wrong = "This is not the password of the account."

/** Counts an attempt at the password of the session. Returns its account, and the time to wait after too many attempts. */
const chargePasswordAttempt = Effect.fnUntraced(function* ({ account, token }: Session) {
  const throttle = yield* SignInThrottle
  const address = yield* callerAddress
  return { holder: { account, address }, wait: yield* throttle.password(token) }
})

export const takePassword = requireSessionOfForm(
  Effect.fnUntraced(function* (found) {
    const form = yield* readOwnForm(found.token)
    const again = (issues: Issues, status = 422) => ownAccountPage({ signedIn: toPageSession(found), issues, status })
    const [current, next] = [form.field("current"), form.field("password")]
    const issues = keepIssues([
      ["current", current === "" ? "Write the current password." : undefined],
      ["password", passwordIssue(next, found.email)]
    ])
    if (issues.size > 0) return again(issues)
    const { holder, wait } = yield* chargePasswordAttempt(found)
    if (Option.isSome(wait)) return withRetryAfter(again(new Map([["", waitSentence(wait.value)]]), 429), wait.value)
    const { changePassword } = yield* OwnAccount
    const isChanged = yield* changePassword(holder, current, next)
    return isChanged ? yield* signIn(found.account, "/account?done=password") : again(new Map([["current", wrong]]))
  })
)

export const takeSignOutEverywhere = requireSessionOfForm(
  Effect.fnUntraced(function* (found) {
    yield* readOwnForm(found.token)
    const { signOutEverywhere } = yield* OwnAccount
    yield* signOutEverywhere({ account: found.account, address: yield* callerAddress })
    return yield* forgetSession(seeOther("/sign-in?done=everywhere"))
  })
)

export const takeDelete = requireSessionOfForm(
  Effect.fnUntraced(function* (found) {
    const form = yield* readOwnForm(found.token)
    const again = (issues: Issues, status = 422) =>
      deleteAccountPage({ signedIn: toPageSession(found), issues, status })
    const password = form.field("password")
    const issues = keepIssues([
      ["password", password === "" ? "Write the password of the account." : undefined],
      ["sure", form.field("sure") === "yes" ? undefined : "Confirm that the account is to be deleted."]
    ])
    if (issues.size > 0) return again(issues)
    const { holder, wait } = yield* chargePasswordAttempt(found)
    if (Option.isSome(wait)) return withRetryAfter(again(new Map([["", waitSentence(wait.value)]]), 429), wait.value)
    const { remove } = yield* OwnAccount
    const isRemoved = yield* remove(holder, password)
    return isRemoved ? yield* forgetSession(seeOther("/sign-in?done=deleted")) : again(new Map([["password", wrong]]))
  })
)
