import { Predicate } from "effect"
import { hasCode } from "./hasCode.ts"

/** Whether the system refused to write because there is no space. */
export const isDiskFull = (error: object): boolean =>
  Predicate.hasProperty(error, "cause") && hasCode(error.cause, "ENOSPC")
