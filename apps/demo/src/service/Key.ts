import * as Schema from "effect/Schema"
import { useSyncExternalStore } from "react"
import { decodePart } from "../route/decodePart.ts"
import { readStored, writeStored } from "./Storage.ts"
import { makeStore } from "./Store.ts"

/** For this tab only: closing it deletes the key. */
const storageKey = "chaintape-key"

/** The open tabs of this page: one with a key gives it to a new one, so that a link opens in a further tab. */
const tabs = new BroadcastChannel(storageKey)
const wanted = "wanted"
const isOffer = Schema.is(Schema.Struct({ key: Schema.NonEmptyString }))

const fromAddress = (): string | undefined => {
  const [, key] = /^#key=(.+)$/.exec(window.location.hash) ?? []
  if (key === undefined) return undefined
  // Removed from the URL, so that neither the history nor a copied link contains it.
  window.history.replaceState(null, "", `${window.location.pathname}${window.location.search}#/`)
  return decodePart(key)
}

const store = makeStore<string | undefined>(readStored("sessionStorage", storageKey))

export const setKey = (key: string | undefined): void => {
  writeStored("sessionStorage", storageKey, key)
  store.set(key)
}

/** Reads the key from the link that the service printed at its start. */
export const takeKeyFromAddress = (): void => {
  const key = fromAddress()
  if (key !== undefined) setKey(key)
}

/** Answers new tabs, and takes the key of another tab if this one has none. */
export const shareKey = (): void => {
  let isWaiting = store.get() === undefined
  store.subscribe(() => {
    isWaiting = false
  })
  tabs.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const key = store.get()
    if (data === wanted && key !== undefined) tabs.postMessage({ key })
    if (isWaiting && isOffer(data)) setKey(data.key)
  })
  if (isWaiting) tabs.postMessage(wanted)
}

export const useKey = (): string | undefined => useSyncExternalStore(store.subscribe, store.get)

/** The key in masked form. */
export const maskedKey = (key: string): string => `${key.slice(0, 10)}${"•".repeat(8)}`
