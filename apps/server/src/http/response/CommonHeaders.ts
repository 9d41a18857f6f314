const exposed = [
  "x-request-id",
  "etag",
  "retry-after",
  "ratelimit",
  "ratelimit-policy",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "chaintape-source",
  "chaintape-as-of",
  "chaintape-coverage",
  "chaintape-candle"
].join(", ")

/**
 * The headers of every response. Data may be read from any origin, but never with credentials, because every request
 * needs a key. `Strict-Transport-Security` is for the proxy that terminates TLS.
 */
export const commonHeaders: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposed,
  "cross-origin-resource-policy": "cross-origin",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  vary: "api-key, accept, accept-encoding"
}

/** The headers of a response: those of every response, some of them overridden by a page's own. */
export const toCommonHeaders = (
  own: Readonly<Record<string, string | undefined>>
): Readonly<Record<string, string>> => {
  const { "cross-origin-resource-policy": policy, "referrer-policy": referrer } = own
  if (policy === undefined && referrer === undefined) return commonHeaders
  return {
    ...commonHeaders,
    ...(policy === undefined ? {} : { "cross-origin-resource-policy": policy }),
    ...(referrer === undefined ? {} : { "referrer-policy": referrer })
  }
}
