import { Layer } from "effect"
import * as SqlTape from "../tape/store/SqlTape.ts"
import * as SqlTapeReads from "../tape/store/SqlTapeReads.ts"

/** The tape of a store. */
export const layer = Layer.mergeAll(SqlTape.layer, SqlTapeReads.layer)
