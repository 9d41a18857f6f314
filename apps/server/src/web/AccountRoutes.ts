import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpRouter, HttpServerRequest } from "effect/http"
import type { PasswordsBusyError } from "../accounts/Passwords.ts"
import type { StoreError } from "../internal/StoreError.ts"
import * as Own from "./account/OwnAccountRoutes.ts"
import * as Dashboard from "./dashboard/DashboardRoutes.ts"
import type { FormError } from "./forms/FormBody.ts"
import { FormSlots } from "./forms/FormBody.ts"
import { refusalPage, seeOther } from "./layout/AccountPage.ts"
import { addPage } from "./layout/PagePaths.ts"
import type { PageMethod, PagePath } from "./layout/PagePaths.ts"
import * as Sign from "./sign-in/SignRoutes.ts"

type Response = HttpServerResponse.HttpServerResponse

type OfRequest = HttpServerRequest.HttpServerRequest | HttpServerRequest.ParsedSearchParams | HttpRouter.RouteContext

const back = { href: "/dashboard", text: "Back" }

const toBusyPage = () =>
  HttpServerResponse.setHeader(
    refusalPage(
      503,
      "The service is busy",
      "Too many people sign in at the moment. Wait a few seconds, then try again.",
      back
    ),
    "retry-after",
    "5"
  )

type HandlerError = FormError | PasswordsBusyError | StoreError

const toRefusalPage = ({ message, status }: FormError) => {
  const page = refusalPage(status, "The form was not taken", message, back)
  return status === 429 ? HttpServerResponse.setHeader(page, "retry-after", "1") : page
}

/** The request pipeline logs a failure of the store, which no page can explain. */
const withRefusals = <R>(handler: Effect.Effect<Response, HandlerError, R>): Effect.Effect<Response, never, R> =>
  handler.pipe(
    Effect.catchTags({
      FormError: (error) => Effect.succeed(toRefusalPage(error)),
      PasswordsBusyError: () => Effect.succeed(toBusyPage())
    }),
    Effect.orDie
  )

/** A page whose services are those of its layer, as of every handler: the context of a request does not hold them. */
const route = <Path extends PagePath, R>(
  method: PageMethod<Path>,
  path: Path,
  handler: Effect.Effect<Response, HandlerError, R>
) =>
  Layer.unwrap(
    Effect.map(Effect.context<Exclude<R, OfRequest>>(), (context) =>
      addPage(method, path, withRefusals(Effect.provideContext(handler, context)))
    )
  )

/** The account pages. `example` is the path of a working operation. */
export const layer = (example: string) =>
  Layer.mergeAll(
    route("GET", "/sign-up", Sign.showSignUp),
    route("POST", "/sign-up", Sign.submitSignUp),
    route("GET", "/sign-in", Sign.showSignIn),
    route("POST", "/sign-in", Sign.submitSignIn),
    route("GET", "/sign-out", Sign.showSignOut),
    route("POST", "/sign-out", Sign.submitSignOut),
    route("GET", "/reset-password", Sign.showReset),
    route("POST", "/reset-password", Sign.submitReset),
    route("GET", "/account", Own.showAccount),
    route("GET", "/account/password", Effect.succeed(seeOther("/account"))),
    route("POST", "/account/password", Own.submitPassword),
    route("GET", "/account/sign-out-everywhere", Effect.succeed(seeOther("/account"))),
    route("POST", "/account/sign-out-everywhere", Own.submitSignOutEverywhere),
    route("GET", "/account/delete", Own.showDelete),
    route("POST", "/account/delete", Own.submitDelete),
    route("GET", "/dashboard", Dashboard.showDashboard),
    route("GET", "/dashboard/new-key", Dashboard.showNewKey(example)),
    route("GET", "/dashboard/keys", Effect.succeed(seeOther("/dashboard"))),
    route("POST", "/dashboard/keys", Dashboard.submitNewKey),
    route("GET", "/dashboard/keys/:id/rotate", Dashboard.showRotate),
    route("POST", "/dashboard/keys/:id/rotate", Dashboard.submitRotate),
    route("GET", "/dashboard/keys/:id/revoke", Dashboard.showRevoke),
    route("POST", "/dashboard/keys/:id/revoke", Dashboard.submitRevoke)
  ).pipe(Layer.provide(FormSlots.layer))
