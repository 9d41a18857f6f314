import { ByteSize, Context, Data, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import { addressBlock, CallerAddress } from "../../auth/CallerAddress.ts"
import { makeKeyedSlots } from "../../internal/concurrency/Slots.ts"
import { isFormToken, isFromOwnPage } from "./Browser.ts"

/** A body that is rejected before it is parsed. */
export class FormError extends Data.TaggedError("FormError")<{
  readonly status: 400 | 403 | 413 | 415 | 429
  readonly message: string
}> {}

const maxBytes = 16 * 1024

const tooLarge = (what: string) =>
  new FormError({ status: 413, message: `The ${what} holds more than ${maxBytes / 1024} kB: send less.` })

const cutOff = (what: string) =>
  new FormError({ status: 400, message: `The ${what} did not arrive completely: send it again.` })

/** Reads a body of at most 16 kB, which `what` names. */
export const readBody = ({ text }: HttpServerRequest.HttpServerRequest, what: string) =>
  text.pipe(
    Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.fromInputUnsafe(maxBytes)),
    Effect.mapError(({ reason }) =>
      reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge" ? tooLarge(what) : cutOff(what)
    )
  )

const maxAtOnce = 8

/**
 * Limits the forms of one address that are read at once. Each is one of the requests that may wait, for as long as its client
 * takes to send it.
 */
export class FormSlots extends Context.Service<
  FormSlots,
  {
    /** Takes a slot of the address and returns its release; undefined if none is free. */
    readonly take: (address: string) => (() => void) | undefined
  }
>()("@chaintape/server/web/forms/FormSlots") {
  static readonly layer = Layer.sync(FormSlots, () => {
    const take = makeKeyedSlots()
    return FormSlots.of({ take: (address) => take(addressBlock(address), maxAtOnce) })
  })
}

const tooMany = () =>
  new FormError({
    status: 429,
    message: `${maxAtOnce} forms of this address are being sent: try again in a second.`
  })

/** A submitted form. Unknown fields are ignored. */
export interface FormBody {
  /** Empty if it is absent. */
  readonly field: (name: string) => string
  readonly fields: (name: string) => ReadonlyArray<string>
}

const isForm = (contentType: string) =>
  contentType.split(";", 1)[0]?.trim().toLowerCase() === "application/x-www-form-urlencoded"

const readForm = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (!isForm(request.headers["content-type"] ?? ""))
    return yield* new FormError({
      status: 415,
      message: "The body is not a form: send application/x-www-form-urlencoded."
    })
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return yield* tooLarge("form")
  const addresses = yield* CallerAddress
  const slots = yield* FormSlots
  const text = yield* Effect.acquireUseRelease(
    Effect.sync(() => slots.take(addresses.of(request))),
    (release) => (release === undefined ? Effect.fail(tooMany()) : readBody(request, "form")),
    (release) => Effect.sync(() => release?.())
  )
  const values = new URLSearchParams(text)
  return { field: (name): string => values.get(name) ?? "", fields: (name) => values.getAll(name) } satisfies FormBody
})

const foreignForm = () =>
  new FormError({ status: 403, message: "The form does not come from a page of this service. Nothing was changed." })

const staleForm = () =>
  new FormError({
    status: 403,
    message:
      "The page was open for too long, the browser has signed in or out since, or it takes no cookies from this " +
      "service. Nothing was changed: try again."
  })

/** Reads a form that one of our own pages sent from the browser that holds `secret`. */
export const readOwnForm = Effect.fnUntraced(function* (secret: string | undefined) {
  if (!isFromOwnPage(yield* HttpServerRequest.HttpServerRequest)) return yield* foreignForm()
  const form = yield* readForm
  if (secret === undefined || !isFormToken(secret, form.field("token"))) return yield* staleForm()
  return form
})
