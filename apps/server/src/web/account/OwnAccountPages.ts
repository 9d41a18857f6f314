import { currentPasswordField, newPasswordField } from "../layout/AccountFields.ts"
import { accountPage } from "../layout/AccountPage.ts"
import type { SignedIn } from "../layout/AccountPage.ts"
import { checkbox, hiddenToken, issueSummary, noIssues, toTitle } from "../layout/Fields.ts"
import type { Issues } from "../layout/Fields.ts"
import { html } from "../layout/Html.ts"

export interface OwnAccountForm {
  readonly signedIn: SignedIn
  readonly issues?: Issues
  readonly status?: number
}

/** For password managers: the e-mail address of the password. */
const renderOwner = (email: string) =>
  html`<input type="email" name="email" value="${email}" autocomplete="username" readonly hidden />`

const passwordForm = (token: string, email: string, issues: Issues) =>
  html`<form class="narrow" method="post" action="/account/password">
    ${hiddenToken(token)} ${renderOwner(email)} ${currentPasswordField("current", "Current password", issues)}
    ${newPasswordField("New password", issues)}
    <button>Change the password</button>
  </form>`

/** `isChanged`: the password has just been changed. */
export const ownAccountPage = ({
  isChanged = false,
  issues = noIssues,
  signedIn,
  status = 200
}: OwnAccountForm & { readonly isChanged?: boolean }) =>
  accountPage({
    title: toTitle("Account", issues),
    signedIn,
    status,
    body: html`<h1>Account</h1>
      <p class="quiet">${signedIn.email}</p>
      ${
        isChanged
          ? html`<p class="done" role="status">
              The password is changed. You are signed out in every other browser. Your keys go on working.
            </p>`
          : undefined
      }
      ${issueSummary(issues)}
      <h2>Change the password</h2>
      ${passwordForm(signedIn.token, signedIn.email, issues)}
      <h2>Sign out everywhere</h2>
      <p>Ends the sessions of this account in all browsers, this one too. Your keys go on working.</p>
      <form class="row" method="post" action="/account/sign-out-everywhere">
        ${hiddenToken(signedIn.token)}<button class="second">Sign out everywhere</button>
      </form>
      <h2>Delete the account</h2>
      <p>Revokes your keys, and removes the account with all that is its own.</p>
      <p class="row"><a class="button second" href="/account/delete">Delete the account</a></p>`
  })

export const deleteAccountPage = ({ issues = noIssues, signedIn, status = 200 }: OwnAccountForm) =>
  accountPage({
    title: toTitle("Delete the account", issues),
    signedIn,
    status,
    body: html`<h1>Delete the account?</h1>
      <p>
        Requests with your keys are refused within seconds. Your e-mail address, your keys and their use are removed.
        What happened to the account is kept without the e-mail address. This cannot be undone.
      </p>
      ${issueSummary(issues)}
      <form class="narrow" method="post" action="/account/delete">
        ${hiddenToken(signedIn.token)} ${renderOwner(signedIn.email)}
        ${currentPasswordField("password", "Password", issues)}
        ${checkbox({ name: "sure", label: "Delete this account and revoke all of its keys, for good" }, issues)}
        <div class="row">
          <button class="danger">Delete the account</button> <a class="button second" href="/account">Keep it</a>
        </div>
      </form>`
  })
