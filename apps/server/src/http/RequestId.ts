import { randomUUID } from "node:crypto"

const sane = /^[\w.:-]{1,64}$/

/** The caller's own id where it is a sane token, a new one otherwise. */
export const idOrNew = (given: string | undefined): string =>
  given !== undefined && sane.test(given) ? given : randomUUID()
