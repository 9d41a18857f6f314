/**
 * What a test did not say, or may not say.
 *
 * @since 0.1.0
 */

/**
 * A wrong script: it gives no answer to what is asked, or one that the service can't give. It is a defect, as no
 * program under test can act on it.
 *
 * @example
 * ```ts
 * import { WrongScript } from "@chaintape/core/testing"
 *
 * const isMine = (defect: unknown): boolean => defect instanceof WrongScript
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export class WrongScript extends Error {
  override readonly name = "WrongScript"
}
