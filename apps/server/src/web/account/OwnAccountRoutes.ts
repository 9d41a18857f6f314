import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { passwordIssue } from "../../accounts/Credentials.ts"
import { OwnAccount } from "../../accounts/OwnAccount.ts"
import type { Session } from "../../accounts/Sessions.ts"
import { SignInThrottle } from "../../accounts/SignInThrottle.ts"
import {
  forgetSession,
  toHolder,
  toPageSession,
  requireSession,
  requireSessionOfForm,
  signIn
} from "../forms/BrowserSession.ts"
import { readOwnForm } from "../forms/FormBody.ts"
import { seeOther } from "../layout/AccountPage.ts"
import { toIssues } from "../layout/Fields.ts"
import type { Issues } from "../layout/Fields.ts"
import { refuseAttempt } from "../sign-in/SignRoutes.ts"
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

const wrong = "This is not the password of the account."

/** Counts an attempt at the password of the session. Returns its account, and the time to wait after too many attempts. */
const chargePasswordAttempt = Effect.fnUntraced(function* (found: Session) {
  const throttle = yield* SignInThrottle
  return { holder: yield* toHolder(found), wait: yield* throttle.password(found.token) }
})

export const submitPassword = requireSessionOfForm(
  Effect.fnUntraced(function* (found) {
    const form = yield* readOwnForm(found.token)
    const again = (issues: Issues, status = 422) =>
      Effect.succeed(ownAccountPage({ signedIn: toPageSession(found), issues, status }))
    const [current, next] = [form.field("current"), form.field("password")]
    const issues = toIssues({
      current: current === "" ? "Write the current password." : undefined,
      password: passwordIssue(next, found.email)
    })
    if (issues.size > 0) return yield* again(issues)
    const { holder, wait } = yield* chargePasswordAttempt(found)
    if (Option.isSome(wait)) return yield* refuseAttempt(again, wait.value)
    const { changePassword } = yield* OwnAccount
    const isChanged = yield* changePassword(holder, current, next)
    return yield* isChanged ? signIn(found.account, "/account?done=password") : again(toIssues({ current: wrong }))
  })
)

export const submitSignOutEverywhere = requireSessionOfForm(
  Effect.fnUntraced(function* (found) {
    yield* readOwnForm(found.token)
    const { signOutEverywhere } = yield* OwnAccount
    yield* signOutEverywhere(yield* toHolder(found))
    return yield* forgetSession(seeOther("/sign-in?done=everywhere"))
  })
)

export const submitDelete = requireSessionOfForm(
  Effect.fnUntraced(function* (found) {
    const form = yield* readOwnForm(found.token)
    const again = (issues: Issues, status = 422) =>
      Effect.succeed(deleteAccountPage({ signedIn: toPageSession(found), issues, status }))
    const password = form.field("password")
    const issues = toIssues({
      password: password === "" ? "Write the password of the account." : undefined,
      sure: form.field("sure") === "yes" ? undefined : "Confirm that the account is to be deleted."
    })
    if (issues.size > 0) return yield* again(issues)
    const { holder, wait } = yield* chargePasswordAttempt(found)
    if (Option.isSome(wait)) return yield* refuseAttempt(again, wait.value)
    const { remove } = yield* OwnAccount
    const isRemoved = yield* remove(holder, password)
    return yield* isRemoved ? forgetSession(seeOther("/sign-in?done=deleted")) : again(toIssues({ password: wrong }))
  })
)
