import type { SignUpPolicy } from "../../accounts/Accounts.ts"
import { currentPasswordField, emailField, newPasswordField } from "../layout/AccountFields.ts"
import { accountPage } from "../layout/AccountPage.ts"
import type { SignedIn } from "../layout/AccountPage.ts"
import { hiddenToken, issueSummary, noIssues, textField, toTitle } from "../layout/Fields.ts"
import type { Issues } from "../layout/Fields.ts"
import { html } from "../layout/Html.ts"

export interface SignForm {
  /** The CSRF token of the form. */
  readonly token: string
  readonly email?: string
  readonly invitation?: string
  readonly issues?: Issues
  readonly status?: number
}

/** The messages that the sign-in page may show. */
const outcomes = {
  deleted: "The account is deleted. Requests with its keys are refused.",
  everywhere: "You are signed out in every browser.",
  unsent: "You are not signed in, so this form changed nothing. Sign in, then fill it in again."
} as const

type SignOutcome = keyof typeof outcomes

export const isSignOutcome = (text: unknown): text is SignOutcome =>
  typeof text === "string" && Object.hasOwn(outcomes, text)

const signUpClosed = () =>
  accountPage({
    title: "Sign up",
    body: html`<h1>Sign up</h1>
      <p>The operator of this service makes the accounts: there are no new ones here at the moment.</p>
      <p><a href="/sign-in">Sign in</a>, if you have an account.</p>`
  })

export const signUpPage = (policy: SignUpPolicy, form: SignForm) => {
  const { email = "", invitation = "", issues = noIssues, status = 200, token } = form
  if (policy === "closed") return signUpClosed()
  return accountPage({
    title: toTitle("Sign up", issues),
    status,
    body: html`<h1>Sign up</h1>
      <p class="quiet">An account holds your keys. <a href="/sign-in">Sign in</a>, if you have one.</p>
      ${issueSummary(issues)}
      <form class="narrow" method="post" action="/sign-up">
        ${hiddenToken(token)}
        ${
          policy === "invitation"
            ? textField(
                {
                  name: "invitation",
                  label: "Invitation",
                  type: "text",
                  autocomplete: "off",
                  hint: "The code that the operator of this service gave you.",
                  value: invitation,
                  maxLength: 100
                },
                issues
              )
            : undefined
        }
        ${emailField(email, issues)} ${newPasswordField("Password", issues)}
        <button>Sign up</button>
      </form>`
  })
}

export const signInPage = (form: SignForm & { readonly outcome?: SignOutcome | undefined }, policy: SignUpPolicy) => {
  const { email = "", issues = noIssues, outcome, status = 200, token } = form
  return accountPage({
    title: toTitle("Sign in", issues),
    status,
    body: html`<h1>Sign in</h1>
      ${outcome === undefined ? undefined : html`<p class="done" role="status">${outcomes[outcome]}</p>`}
      ${policy === "closed" ? undefined : html`<p class="quiet">No account yet? <a href="/sign-up">Sign up</a>.</p>`}
      ${issueSummary(issues)}
      <form class="narrow" method="post" action="/sign-in">
        ${hiddenToken(token)} ${emailField(email, issues)} ${currentPasswordField("password", "Password", issues)}
        <button>Sign in</button>
      </form>
      <p class="quiet">
        Password lost? With a code of the operator you can <a href="/reset-password">set a new one</a>.
      </p>`
  })
}

/** The form for a reset code and a new password. The code is in no URL. */
export const resetPage = ({ email = "", issues = noIssues, status = 200, token }: SignForm) =>
  accountPage({
    title: toTitle("Set a new password", issues),
    status,
    body: html`<h1>Set a new password</h1>
      <p class="quiet">
        The operator of this service gives you a code for that. <a href="/sign-in">Sign in</a>, if you know the
        password.
      </p>
      ${issueSummary(issues)}
      <form class="narrow" method="post" action="/reset-password">
        ${hiddenToken(token)} ${emailField(email, issues)}
        ${textField({ name: "code", label: "Code", type: "text", autocomplete: "off", maxLength: 100 }, issues)}
        ${newPasswordField("New password", issues)}
        <button>Set the password</button>
      </form>`
  })

export const signOutPage = (signedIn: SignedIn) =>
  accountPage({
    title: "Sign out",
    signedIn,
    body: html`<h1>Sign out</h1>
      <p>Keys go on working when you are signed out.</p>
      <form class="row" method="post" action="/sign-out">
        ${hiddenToken(signedIn.token)}<button>Sign out</button> <a class="button second" href="/dashboard">Stay</a>
      </form>`
  })
