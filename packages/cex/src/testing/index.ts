/**
 * The test kit of `Cex`: a layer from plain values. Recorded answers and faults are in `@chaintape/core/testing`.
 *
 * @since 0.1.0
 */
export * as CexTest from "./CexTest.ts"
export type { Cex } from "../Cex.ts"
