/**
 * Effect client of the Chaintape operations on decentralized exchanges.
 *
 * @since 0.1.0
 */
export { Dex } from "./Dex.ts"
