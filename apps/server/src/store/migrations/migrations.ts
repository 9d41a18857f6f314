import { initial } from "./0001_initial.ts"
import { dexIndex } from "./0002_dex_index.ts"

/** By name, in the order of their numbers. A migration that has run anywhere is never edited. */
export const migrations = {
  "0001_initial": initial,
  "0002_dex_index": dexIndex
}
