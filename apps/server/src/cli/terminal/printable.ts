import { toOneLine } from "../../internal/log/oneLine.ts"

/** Sentences for a terminal: characters in names from a service, a chain or an exchange are shown, never obeyed. */
export const printable = (text: string): string => text.split("\n").map(toOneLine).join("\n")
