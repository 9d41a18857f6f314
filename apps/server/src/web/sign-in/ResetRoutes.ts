import { Effect, Option } from "effect"
import { normalizeEmail, passwordIssue } from "../../accounts/Credentials.ts"
import { PasswordResets } from "../../accounts/PasswordResets.ts"
import { SignInThrottle } from "../../accounts/SignInThrottle.ts"
import { callerAddress, signIn, withAnonymousSession } from "../forms/BrowserSession.ts"
import { toIssues } from "../layout/Fields.ts"
import type { Issues } from "../layout/Fields.ts"
import { resetPage } from "./SignPages.ts"
import { toRefilled, noAddress, readAnonymousForm, refuseAttempt } from "./SignRoutes.ts"

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
