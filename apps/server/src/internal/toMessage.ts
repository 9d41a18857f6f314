/** The message of what was thrown. */
export const toMessage = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
