import { Duration, Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpServerResponse } from "effect/http"
import { isToken, newToken } from "../../accounts/SecretToken.ts"
import { Sessions } from "../../accounts/Sessions.ts"
import type { Session } from "../../accounts/Sessions.ts"
import { CallerAddress } from "../../auth/CallerAddress.ts"
import type { Holder } from "../../auth/keys/AccountKeys.ts"
import { seeOther } from "../layout/AccountPage.ts"
import { clearCookie, cookies, toFormToken, readCookie, setCookie } from "./Browser.ts"

type Response = HttpServerResponse.HttpServerResponse

const anonymousLifetime = Duration.days(1)

/** The secret of a browser that is not signed in, if it has one. */
export const readAnonymousSecret = (request: HttpServerRequest.HttpServerRequest): string | undefined => {
  const secret = readCookie(request, cookies.anonymous)
  return secret !== undefined && isToken(secret) ? secret : undefined
}

/** A page with a form for a browser that is not signed in. `make` receives the form's token. */
export const withAnonymousSession = Effect.fnUntraced(function* (make: (token: string) => Response) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const known = readAnonymousSecret(request)
  const secret = known ?? (yield* newToken)
  const response = make(toFormToken(secret))
  return known === undefined ? setCookie(request, response, cookies.anonymous, secret, anonymousLifetime) : response
})

export const callerAddress = Effect.gen(function* () {
  const { of } = yield* CallerAddress
  return of(yield* HttpServerRequest.HttpServerRequest)
})

/** Who acts, for the audit log. */
export const toHolder = ({ account }: Session) => Effect.map(callerAddress, (address): Holder => ({ account, address }))

/** The signed-in account. */
export const findSession = Effect.gen(function* () {
  const sessions = yield* Sessions
  const token = readCookie(yield* HttpServerRequest.HttpServerRequest, cookies.session)
  return token === undefined ? Option.none<Session>() : yield* sessions.find(token)
})

const withSessionOr = <E, R>(location: string, handle: (session: Session) => Effect.Effect<Response, E, R>) =>
  Effect.flatMap(findSession, (found) =>
    Option.isSome(found) ? handle(found.value) : Effect.succeed(seeOther(location))
  )

/** Requires a session; other browsers are redirected to the sign-in page. */
export const requireSession = <E, R>(handle: (session: Session) => Effect.Effect<Response, E, R>) =>
  withSessionOr("/sign-in", handle)

/** As `requireSession`, for a form: the sign-in page says that it was not taken. */
export const requireSessionOfForm = <E, R>(handle: (session: Session) => Effect.Effect<Response, E, R>) =>
  withSessionOr("/sign-in?done=unsent", handle)

/**
 * Signs the browser in with a new random token, and deletes the anonymous one. `password` is the hash that was verified: if
 * the account has another one now, the browser is not signed in.
 */
export const signIn = Effect.fnUntraced(function* (account: string, location: string, password?: string) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const sessions = yield* Sessions
  const token = yield* sessions.begin(account, readCookie(request, cookies.session), password)
  const response = clearCookie(request, seeOther(location), cookies.anonymous)
  return setCookie(request, response, cookies.session, token, Sessions.lifetime)
})

/** After the end of a session: the browser deletes it, with the key that it may hold. */
export const forgetSession = (response: Response) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
    clearCookie(request, clearCookie(request, response, cookies.session), cookies.newKey)
  )

/** The session data of a page. */
export const toPageSession = ({ email, token }: Session) => ({ email, token: toFormToken(token) })
