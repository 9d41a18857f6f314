import { Logger } from "effect"

/** A logger, and the lines that it received: their level and the first part of their message. */
export const makeLogLines = () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    lines.push(`${logLevel} ${String(Array.isArray(message) ? message[0] : message)}`)
  })
  return { lines, layer: Logger.layer([logger]) }
}
