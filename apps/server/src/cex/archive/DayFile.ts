import type { ParquetColumn } from "../../internal/files/ParquetFile.ts"
import { openParquetFile } from "../../internal/files/ParquetFile.ts"
import type { TapeTrade } from "../tape/Tape.ts"
import { format, formatKey } from "./ArchiveManifest.ts"

/** Decimals are text, so that a reader has every digit. */
const columns: ReadonlyArray<ParquetColumn<TapeTrade>> = [
  { name: "id", type: "text", get: ({ id }) => id },
  { name: "sequence", type: "integer", get: ({ sequence }) => sequence },
  { name: "timestamp", type: "time", get: ({ timestamp }) => timestamp },
  { name: "price", type: "text", get: ({ price }) => price },
  { name: "size", type: "text", get: ({ size }) => size },
  { name: "cost", type: "text", get: ({ cost }) => cost },
  { name: "side", type: "text", get: ({ side }) => side },
  { name: "received_at", type: "time", get: ({ receivedAt }) => receivedAt }
]

/** The file of a day. */
export const openDayFile = (
  path: string,
  { exchange, market }: { readonly exchange: string; readonly market: string }
) => openParquetFile(path, columns, { [formatKey]: format, exchange, market })
