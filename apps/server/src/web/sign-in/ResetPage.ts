import { emailField, newPasswordField } from "../layout/AccountFields.ts"
import { accountPage } from "../layout/AccountPage.ts"
import { hiddenToken, issueSummary, noIssues, textField } from "../layout/Fields.ts"
import { html } from "../layout/Html.ts"
import type { SignForm } from "./SignPages.ts"

/** The form for a reset code and a new password. The code is in no URL. */
export const resetPage = ({ email = "", issues = noIssues, status = 200, token }: SignForm) =>
  accountPage({
    title: issues.size === 0 ? "Set a new password" : "Error: Set a new password",
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
