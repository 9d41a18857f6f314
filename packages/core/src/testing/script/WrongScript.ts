/**
 * Errors in a test's script.
 *
 * @since 0.1.0
 */

/**
 * A wrong script: it has no reply to a request, or one that the service can't give. It is a defect, because no program
 * under test can handle it.
 *
 * @example
 * ```ts
 * import { Script } from "@chaintape/core/testing"
 *
 * const isMine = (defect: unknown): boolean => defect instanceof Script.WrongScript
 * ```
 *
 * @since 0.1.0
 * @category errors
 */
export class WrongScript extends Error {
  override readonly name = "WrongScript"
}
