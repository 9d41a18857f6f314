/** A request as a line for a terminal. */
export const toCurl = (path: string, key: string): string =>
  `curl -i -H "api-key: ${key}" "${window.location.origin}${path}"`
