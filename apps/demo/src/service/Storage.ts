/**
 * The storage of the browser, which may refuse every access or a value: what is written then lasts until the page is
 * closed.
 */
type Kind = "localStorage" | "sessionStorage"

export const readStored = (kind: Kind, key: string): string | undefined => {
  try {
    return window[kind].getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a value, or removes it. */
export const writeStored = (kind: Kind, key: string, value: string | undefined): void => {
  try {
    if (value === undefined) window[kind].removeItem(key)
    else window[kind].setItem(key, value)
  } catch {
    // The value of this page stays in memory.
  }
}
