import { gunzipSync, inflateRawSync } from "node:zlib"
import { makeJsonMeter } from "../../../sources/JsonMeter.ts"
import type { ResponseBounds } from "../../../sources/JsonMeter.ts"
import { failure } from "./RawExchange.ts"
import type { RawClient } from "./RawExchange.ts"

/** A snapshot of 10,000 trades is about 3 MB; ccxt's own bound is 100 MB. */
export const frameBounds: ResponseBounds = { bytes: 4 * 1024 * 1024, values: 250_000 }

/** A frame up to this length costs little, whatever it holds. */
const shortFrame = 4096

/** Responses to pings that an exchange does not read. */
const maxUnread = 1024 * 1024

const toText = ({ gunzip, inflate }: RawClient, data: unknown): string => {
  if (!Buffer.isBuffer(data)) return String(data)
  const decompress = gunzip ? gunzipSync : inflate ? inflateRawSync : undefined
  return String(decompress === undefined ? data : decompress(data, { maxOutputLength: frameBounds.bytes }))
}

/**
 * Bounds what the frames of a connection may cost, before ccxt parses them. ccxt decompresses a frame to any length. A
 * connection beyond the bounds is closed at once.
 */
export const boundFrames = (client: RawClient, onExcess: (error: unknown) => void): void => {
  const onMessage = client.onMessage.bind(client)
  const refuse = (what: string): void => {
    onExcess(failure("BadBody", what))
    client.connection?.terminate?.()
  }
  client.onMessage = ({ data }) => {
    let text: string
    try {
      text = toText(client, data)
    } catch {
      // Not compressed as the exchange says, or beyond the bound.
      return refuse("a frame cannot be decompressed")
    }
    const found = text.length <= shortFrame ? undefined : makeJsonMeter(frameBounds)(Buffer.from(text))
    return found === undefined ? onMessage({ data: text }) : refuse(`the exchange sent ${found}`)
  }
  client.onPing = () => {
    if ((client.connection?.bufferedAmount ?? 0) > maxUnread)
      refuse("the exchange does not read the answers to its pings")
  }
}
