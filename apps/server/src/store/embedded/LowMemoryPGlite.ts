import { setFlagsFromString } from "node:v8"
import type { PGliteOptions } from "@electric-sql/pglite"
import { PGlite } from "@electric-sql/pglite"

/**
 * V8 optimizes only the WebAssembly function with this index; -1 removes the limit. It applies to code compiled while
 * it is set.
 */
const optimiseOnly = (which: number) => setFlagsFromString(`--wasm-tier-up-filter=${which}`)

const settings = {
  // The pages are read through the file system, which caches them as well.
  shared_buffers: "32MB",
  // The default, a share of those buffers, is too small for the tape's transactions.
  wal_buffers: "4MB",
  // The memory of the engine grows to its peak and never shrinks.
  maintenance_work_mem: "16MB",
  // Nothing analyzes the tables here, so the planner expects few rows behind any bound. With the standard cost of a page
  // out of order, it would collect all of them in a bitmap and sort them for the first page of rows, where the index has them
  // in order. The file system caches the pages: none costs more than another.
  random_page_cost: "1"
}

/** Options of PGlite for an engine in a small process. */
export const lowMemoryOptions: PGliteOptions = {
  startParams: [
    ...PGlite.defaultStartParams,
    ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  ]
}

/**
 * V8 takes 600 MB for most of a second to optimize one function of PostgreSQL, the SQL parser, as soon as it has run
 * once. The function is first compiled when the first statement is parsed, which PGlite sends itself to set an option:
 * no code that reads or writes tables is compiled at that moment. Without the flag everything works, with that peak.
 */
export class LowMemoryPGlite extends PGlite {
  #isFirst = true

  /**
   * Called when the engine has ended, such as by a PANIC while the disk is full. The caller must end the thread:
   * otherwise PGlite runs the ended engine in an endless loop.
   */
  onEnd: () => void = () => {}

  /** Errors of statements leave the main loop by a long jump, which PGlite expects; anything else is the end. */
  #watchEnd() {
    const engine = this.Module
    const runOnce = engine._PostgresMainLoopOnce
    const longJump: unknown = Reflect.get(this, "POSTGRES_MAIN_LONGJMP")
    engine._PostgresMainLoopOnce = () => {
      try {
        runOnce()
      } catch (error) {
        const isLongJump = error instanceof Object && "status" in error && error.status === longJump
        if (!isLongJump) this.onEnd()
        throw error
      }
    }
  }

  override execProtocolRawSync(message: Uint8Array): Uint8Array {
    if (!this.#isFirst) return super.execProtocolRawSync(message)
    this.#isFirst = false
    this.#watchEnd()
    optimiseOnly(0)
    try {
      return super.execProtocolRawSync(message)
    } finally {
      optimiseOnly(-1)
    }
  }
}
