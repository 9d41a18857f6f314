import type { Cacheable } from "../../internal/handler/Cacheable.ts"
import type { RoutedOperation } from "../request/Routes.ts"
import { codeWhole, codingFor, minCompressedBytes, toWeakEtag } from "../response/Compression.ts"
import type { Coding } from "../response/Compression.ts"
import { matches, withoutContent } from "../response/ResponseHeaders.ts"

/** Text in latin1, or chunks. */
type Body = string | ReadonlyArray<Uint8Array>

/** A response in one of its forms: identity, encoded, or without the body that its client has. */
export interface Representation {
  readonly status: 200 | 304
  /** Names and values, alternating. */
  readonly headers: ReadonlyArray<string>
  readonly body: Body
}

/** Requests for an encoding before its body is cached. */
const worthCoding = 2

interface Encoded {
  wanted: number
  representation?: Representation
}

/** The request headers that select a representation. */
export interface Preferences {
  readonly acceptEncoding: string | undefined
  readonly ifNoneMatch: string | undefined
}

/** A route of an operation. */
export interface CachedRoute {
  readonly template: string
  readonly operation: RoutedOperation
}

/** A response as it was sent, without the headers of its request. Each of its representations is made once. */
export class CachedResponse {
  readonly cacheable: Cacheable
  /** The template of its path. */
  readonly template: string
  readonly operation: RoutedOperation
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: number
  readonly #identity: Representation
  readonly #notModified: Representation
  readonly #encoded = new Map<Coding, Encoded>()
  #encodedBytes = 0
  /** Called when an encoded body was stored. */
  onEncoded: () => void = () => {}

  constructor(
    cacheable: Cacheable,
    { operation, template }: CachedRoute,
    headers: Readonly<Record<string, string>>,
    body: Body,
    bytes: number
  ) {
    this.cacheable = cacheable
    this.template = template
    this.operation = operation
    this.headers = headers
    this.bytes = bytes
    this.#identity = { status: 200, headers: Object.entries(headers).flat(), body }
    this.#notModified = { status: 304, headers: Object.entries(withoutContent(headers)).flat(), body: "" }
  }

  /** The bytes of all stored bodies. */
  get storedBytes(): number {
    return this.bytes + this.#encodedBytes
  }

  /** The representation for a client, if it is stored. */
  select({ acceptEncoding, ifNoneMatch }: Preferences): Representation | undefined {
    if (matches(ifNoneMatch, this.headers["etag"] ?? "")) return this.#notModified
    const coding = this.bytes < minCompressedBytes ? undefined : codingFor(acceptEncoding)
    return coding === undefined ? this.#identity : this.#encoded.get(coding)?.representation
  }

  /** Counts a client that received this encoding from the full pipeline, which encodes while it sends. */
  countEncoded(coding: Coding): void {
    const state = this.#encoded.get(coding) ?? { wanted: 0 }
    this.#encoded.set(coding, state)
    state.wanted += 1
    if (state.wanted !== worthCoding) return
    const { body } = this.#identity
    codeWhole(coding, typeof body === "string" ? Buffer.from(body, "latin1") : Buffer.concat(body), (whole) => {
      state.representation = this.#encode(coding, whole)
      this.#encodedBytes += whole.length
      this.onEncoded()
    })
  }

  #encode(coding: Coding, body: Buffer): Representation {
    const { etag, ...others } = this.headers
    const own = { ...others, "content-encoding": coding, "content-length": String(body.length) }
    return {
      status: 200,
      headers: Object.entries(etag === undefined ? own : { ...own, etag: toWeakEtag(etag) }).flat(),
      body: [body]
    }
  }
}
