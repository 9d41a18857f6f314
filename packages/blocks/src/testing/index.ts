/**
 * The test kit of `Blocks`: a layer from plain values. Recorded answers and faults are in `@chaintape/core/testing`.
 *
 * @since 0.1.0
 */
export * as BlocksTest from "./BlocksTest.ts"
export type { Blocks } from "../Blocks.ts"
