import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { isFormToken, isFromOwnPage } from "./Browser.ts"
import { FormRefused, readForm } from "./FormBody.ts"

const foreignForm = () =>
  new FormRefused({ status: 403, message: "The form does not come from a page of this service. Nothing was changed." })

const staleForm = () =>
  new FormRefused({
    status: 403,
    message:
      "The page was open for too long, or the browser takes no cookies from this service. Nothing was changed: try again."
  })

/** Reads a form that one of our own pages sent from the browser that holds `secret`. */
export const readOwnForm = Effect.fnUntraced(function* (secret: string | undefined) {
  if (!isFromOwnPage(yield* HttpServerRequest.HttpServerRequest)) return yield* foreignForm()
  const form = yield* readForm
  if (secret === undefined || !isFormToken(secret, form.field("token"))) return yield* staleForm()
  return form
})
