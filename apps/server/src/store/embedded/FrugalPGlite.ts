import { setFlagsFromString } from "node:v8"
import { PGlite } from "@electric-sql/pglite"

/** No other function is optimised than that of this number; -1 lifts it. It holds for code generated meanwhile. */
const optimiseOnly = (which: number) => setFlagsFromString(`--wasm-tier-up-filter=${which}`)

/**
 * V8 takes 600 MB for most of a second to optimise one function of PostgreSQL, the SQL parser, as soon as it has run
 * once. Its first code is generated when the first statement is parsed, which PGlite sends itself to set an option:
 * nothing that reads or writes tables runs for the first time then. Without the flag everything works, with that peak.
 */
export class FrugalPGlite extends PGlite {
  #isFirst = true

  override execProtocolRawSync(message: Uint8Array): Uint8Array {
    if (!this.#isFirst) return super.execProtocolRawSync(message)
    this.#isFirst = false
    optimiseOnly(0)
    try {
      return super.execProtocolRawSync(message)
    } finally {
      optimiseOnly(-1)
    }
  }
}
