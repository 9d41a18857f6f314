/**
 * Effect client of the Chaintape operations on blocks.
 *
 * @since 0.1.0
 */
export { Blocks } from "./Blocks.ts"
export { blockchains, blocks } from "./BlocksCalls.ts"
export * as BlocksStream from "./BlocksStream.ts"
