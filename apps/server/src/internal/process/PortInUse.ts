import { hasCode } from "../files/hasCode.ts"

/** Whether a server could not listen because another program does. */
export const isPortInUse = (cause: unknown): boolean => hasCode(cause, "EADDRINUSE")
