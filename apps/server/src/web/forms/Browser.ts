import { createCipheriv, createDecipheriv, randomBytes, timingSafeEqual } from "node:crypto"
import { Duration, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { deriveKey, isToken } from "../../accounts/SecretToken.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

/** Our cookies by purpose. */
export const cookies = {
  session: "chaintape_session",
  anonymous: "chaintape_visit",
  newKey: "chaintape_new_key"
} as const

type CookieName = (typeof cookies)[keyof typeof cookies]

const withPrefix = (name: CookieName) => `__Host-${name}`

const first = (header: string | undefined) => header?.split(",", 1)[0]?.trim()

/** The client's connection, as a proxy reports it. A client that forges it affects only its own browser. */
const cameByTls = ({ headers }: Request): boolean => first(headers["x-forwarded-proto"]) === "https"

const getHost = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined)

/** Whether the origin is ours. A proxy may have changed the host, and then reports the original. */
const isOwnOrigin = ({ headers }: Request, origin: string): boolean => {
  const host = getHost(origin)
  const own = [headers["host"], first(headers["x-forwarded-host"])].map((name) => name?.toLowerCase())
  return host !== undefined && own.includes(host)
}

/** Whether the browser uses TLS, with us or with a proxy, which may not report it. */
const isSecure = (request: Request): boolean => {
  const { origin = "" } = request.headers
  return (
    cameByTls(request) ||
    Object.hasOwn(request.cookies, withPrefix(cookies.session)) ||
    (origin.startsWith("https://") && isOwnOrigin(request, origin))
  )
}

const hostShape = /^[\w.:[\]-]{1,255}$/

/** Scheme, host and port as the browser sees them. Empty if unknown. */
export const toOrigin = (request: Request): string => {
  const host = request.headers["host"] ?? ""
  return hostShape.test(host) ? `${isSecure(request) ? "https" : "http"}://${host}` : ""
}

/**
 * Whether a form comes from a page of this service. A page of another origin can set none of the headers checked here.
 */
export const isFromOwnPage = (request: Request): boolean => {
  const { origin, "sec-fetch-site": site } = request.headers
  if (origin === undefined && site === undefined) return false
  if (site !== undefined && site !== "same-origin") return false
  return origin === undefined || isOwnOrigin(request, origin)
}

/** The browser's cookie. If a proxy reports TLS, only a cookie sent over TLS counts. */
export const readCookie = (request: Request, name: CookieName): string | undefined =>
  request.cookies[withPrefix(name)] ?? (cameByTls(request) ? undefined : request.cookies[name])

/** Cookies are inaccessible to scripts, and are sent from our own pages and with links to them. */
export const setCookie = (
  request: Request,
  response: Response,
  name: CookieName,
  value: string,
  maxAge: Duration.Duration
): Response => {
  const secure = isSecure(request)
  return HttpServerResponse.setCookieUnsafe(response, secure ? withPrefix(name) : name, value, {
    httpOnly: true,
    sameSite: "lax",
    path: "/",
    secure,
    maxAge
  })
}

export const clearCookie = (request: Request, response: Response, name: CookieName): Response =>
  [name, withPrefix(name)]
    .filter((written) => Object.hasOwn(request.cookies, written))
    .reduce(
      (cleared, written) =>
        HttpServerResponse.setCookieUnsafe(cleared, written, "", {
          httpOnly: true,
          sameSite: "lax",
          path: "/",
          secure: written !== name,
          maxAge: Duration.zero
        }),
      response
    )

/** The CSRF token of a browser's forms: derived from its cookie, which no other site can read. */
export const toFormToken = (secret: string): string => deriveKey(secret, "form").toString("base64url")

export const isFormToken = (secret: string, given: string): boolean =>
  isToken(given) && timingSafeEqual(Buffer.from(toFormToken(secret)), Buffer.from(given))

const algorithm = "aes-256-gcm"
const nonceBytes = 12
const tagBytes = 16

/** Text that only the holder of the session's cookie can open. */
export const seal = (secret: string, text: string): string => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, deriveKey(secret, "seal"), nonce)
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64url")
}

const decipher = (secret: string, bytes: Buffer): string => {
  const opening = createDecipheriv(algorithm, deriveKey(secret, "seal"), bytes.subarray(0, nonceBytes))
  opening.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([opening.update(bytes.subarray(nonceBytes + tagBytes)), opening.final()]).toString("utf8")
}

export const unseal = (secret: string, text: string): Option.Option<string> => {
  const bytes = Buffer.from(text, "base64url")
  return bytes.length < nonceBytes + tagBytes ? Option.none() : Option.liftThrowable(() => decipher(secret, bytes))()
}
