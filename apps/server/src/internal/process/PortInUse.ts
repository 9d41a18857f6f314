import { Predicate } from "effect"

/** Whether a server could not listen because another program does. */
export const isPortInUse = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") && cause.code === "EADDRINUSE"
