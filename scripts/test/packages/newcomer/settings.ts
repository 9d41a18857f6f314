/** Replaced before a program runs in a browser, which has no environment. */
const environment: { readonly [name: string]: string | undefined } =
  (globalThis as { readonly process?: { readonly env: { readonly [name: string]: string | undefined } } }).process
    ?.env ?? {}
export const address = environment["CHAINTAPE_BASE_URL"] ?? "http://127.0.0.1:3000"
export const key = environment["CHAINTAPE_API_KEY"] ?? "good"
