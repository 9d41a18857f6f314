import type { ParquetColumn } from "../../internal/files/ParquetFile.ts"
import type { TapeTrade } from "../tape/Tape.ts"

/** Of the file of a day. Decimals are text, so that a reader has every digit. */
export const tradeColumns: ReadonlyArray<ParquetColumn<TapeTrade>> = [
  { name: "id", type: "text", get: ({ id }) => id },
  { name: "sequence", type: "integer", get: ({ sequence }) => sequence },
  { name: "timestamp", type: "time", get: ({ timestamp }) => timestamp },
  { name: "price", type: "text", get: ({ price }) => price },
  { name: "size", type: "text", get: ({ size }) => size },
  { name: "cost", type: "text", get: ({ cost }) => cost },
  { name: "side", type: "text", get: ({ side }) => side },
  { name: "received_at", type: "time", get: ({ receivedAt }) => receivedAt }
]
