import { Predicate } from "effect"

/** Whether the system refused to write because there is no space. */
export const isDiskFull = (error: object): boolean =>
  Predicate.hasProperty(error, "cause") && Predicate.hasProperty(error.cause, "code") && error.cause.code === "ENOSPC"
