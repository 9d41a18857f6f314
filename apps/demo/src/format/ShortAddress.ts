/** The beginning and the end of an address. */
export const toShortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`
