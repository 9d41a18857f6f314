/** The published clients, by their folders in `packages`. */
export const clients = ["cex", "dex", "blocks"] as const

/** The published packages: the clients, and what they share. */
export const published = ["core", ...clients] as const
