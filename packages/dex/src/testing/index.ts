/**
 * The test kit of `Dex`: a layer from plain values. Recorded answers and faults are in `@chaintape/core/testing`.
 *
 * @since 0.1.0
 */
export * as DexTest from "./DexTest.ts"
export type { Dex } from "../Dex.ts"
