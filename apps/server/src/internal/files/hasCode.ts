import { Predicate } from "effect"

/** Whether an error of the system has this code, such as ENOENT. */
export const hasCode = (cause: unknown, code: string): boolean =>
  Predicate.hasProperty(cause, "code") && cause.code === code
