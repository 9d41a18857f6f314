import { Context, Effect } from "effect"

/** How long a response may be sent again to the same request. */
export interface Cacheable {
  /** Whether the same request would get the same response now. */
  readonly isCurrent: () => boolean
  /** Whether nothing changes or drops its data, so that it need not be read again while there is room for it. */
  readonly neverExpires?: boolean
  /** The body, if the response sends it in chunks. */
  readonly parts?: ReadonlyArray<Uint8Array>
  /** Acquires what the response needs while it is sent, and returns its release; undefined if none is available. */
  readonly acquire?: () => (() => void) | undefined
}

/** Receives the declaration of the current request. */
export const CacheDeclaration = Context.Reference<(cacheable: Cacheable) => void>(
  "@chaintape/server/internal/handler/CacheDeclaration",
  { defaultValue: () => () => undefined }
)

/** Declares that the response to the current request may be cached. */
export const declareCacheable = (cacheable: Cacheable): Effect.Effect<void> =>
  Effect.map(CacheDeclaration, (declare) => declare(cacheable))
