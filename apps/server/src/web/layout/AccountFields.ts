import { maxEmailLength, maxPasswordLength, minPasswordLength } from "../../accounts/Credentials.ts"
import type { Issues } from "./Fields.ts"
import { textField } from "./Fields.ts"
import type { Html } from "./Html.ts"

/** Browsers count UTF-16 units, so that the longest password fits in any script. */
const maxLength = 2 * maxPasswordLength

export const emailField = (email: string, issues: Issues): Html =>
  textField(
    {
      name: "email",
      label: "E-mail address",
      type: "email",
      autocomplete: "username",
      value: email,
      maxLength: maxEmailLength
    },
    issues
  )

export const currentPasswordField = (name: string, label: string, issues: Issues): Html =>
  textField({ name, label, type: "password", autocomplete: "current-password", maxLength }, issues)

export const newPasswordField = (label: string, issues: Issues): Html =>
  textField(
    {
      name: "password",
      label,
      type: "password",
      autocomplete: "new-password",
      hint: `At least ${minPasswordLength} characters, of any kind.`,
      minLength: minPasswordLength,
      maxLength
    },
    issues
  )
