import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Reply } from "../HttpCall.ts"
import { call } from "../HttpCall.ts"
import { AccountService } from "./AccountService.ts"

export interface Send {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  /** Replaces the browser's own header. Undefined omits it. */
  readonly headers?: Readonly<Record<string, string | undefined>>
}

const toCookies = ({ headers }: Reply): ReadonlyArray<readonly [string, string]> =>
  (headers["set-cookie"] ?? []).map((line) => {
    const [pair = ""] = line.split(";", 1)
    const equals = pair.indexOf("=")
    return [pair.slice(0, equals), /max-age=0(;|$)/i.test(line) ? "" : pair.slice(equals + 1)] as const
  })

/** The token in a page's form. */
export const tokenIn = ({ body }: Reply): string => /name="token" value="([\w-]+)"/.exec(body)?.[1] ?? ""

/** A browser without JavaScript: it stores cookies and sends forms like one, unless overridden. */
export class FormBrowser {
  readonly jar = new Map<string, string>()
  readonly #origin: string
  readonly #address: string

  constructor(origin: string, address = "203.0.113.7") {
    this.#origin = origin
    this.#address = address
  }

  get(path: string, method = "GET") {
    return this.#call({ path, method, headers: {} })
  }

  send({ fields, headers = {}, path }: Send) {
    const { host } = new URL(this.#origin)
    const all = {
      "content-type": "application/x-www-form-urlencoded",
      origin: `http://${host}`,
      "sec-fetch-site": "same-origin",
      ...headers
    }
    const given = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
    return this.#call({
      path,
      method: "POST",
      headers: Object.fromEntries(given),
      body: new URLSearchParams(fields).toString()
    })
  }

  /** Opens the page and sends its form. */
  fill(page: string, fields: Readonly<Record<string, string>>, path = page) {
    return Effect.flatMap(this.get(page), (shown) => this.send({ path, fields: { token: tokenIn(shown), ...fields } }))
  }

  #call(request: {
    readonly path: string
    readonly method: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  }) {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const headers = {
      ...(cookie === "" ? {} : { cookie }),
      "x-forwarded-for": this.#address,
      ...(request.body === undefined ? {} : { "content-length": String(Buffer.byteLength(request.body)) }),
      ...request.headers
    }
    return call(this.#origin, { ...request, headers }).pipe(
      Effect.tap((reply) =>
        Effect.sync(() => {
          for (const [name, value] of toCookies(reply))
            if (value === "") this.jar.delete(name)
            else this.jar.set(name, value)
        })
      )
    )
  }
}

export const browser = (address?: string) =>
  Effect.map(AccountService, ({ origin }) => new FormBrowser(origin, address))

export const goodPassword = "correct horse battery staple"

/** A browser that has just signed up. */
export const newcomer = Effect.fnUntraced(function* (email: string, address?: string) {
  const fresh = yield* browser(address)
  const { body, status } = yield* fresh.fill("/sign-up", { email, password: goodPassword })
  assert.strictEqual(status, 303, `signing up as ${email}: ${body}`)
  return fresh
})

export const keyIn = ({ body }: Reply): string => /id="key"[^>]*>\s*(\w+)\s*</.exec(body)?.[1] ?? ""

/** Creates a key, and reads it from the page that shows it. */
export const createKey = Effect.fnUntraced(function* (
  of: FormBrowser,
  name: string,
  more: Record<string, string> = {}
) {
  const sent = yield* of.fill("/dashboard", { name, lifetime: "0", ...more }, "/dashboard/keys")
  return keyIn(yield* of.get(sent.headers.location ?? "/missing"))
})

/** The ids of the keys that can be changed on a dashboard. */
export const idsIn = ({ body }: Reply): ReadonlyArray<string> =>
  [...body.matchAll(/\/dashboard\/keys\/([^/"]+)\/revoke/g)].map(([, id = ""]) => id)
