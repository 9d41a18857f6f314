/**
 * Parses server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) from arbitrary chunks of
 * bytes.
 */

/** One event. */
export interface ServerEvent {
  /** Empty if the service sends none. */
  readonly name: string
  readonly data: string
  /** The last id of the stream so far. */
  readonly id: string
}

export interface EventParser {
  /** The events that end in these bytes. */
  readonly push: (bytes: Uint8Array) => ReadonlyArray<ServerEvent>
  /** Characters of the incomplete event. */
  readonly held: () => number
}

export const makeEventParser = (): EventParser => {
  // It removes a byte order mark at the beginning, as the format requires.
  const decoder = new TextDecoder()
  let rest = ""
  /** Whether the last character was a carriage return, which a line feed may complete. */
  let isAfterReturn = false
  let name = ""
  let data: string | undefined
  let id = ""

  const processField = (line: string): void => {
    const colon = line.indexOf(":")
    const end = colon === -1 ? line.length : colon
    const value = line.slice(line[end + 1] === " " ? end + 2 : end + 1)
    const key = line.slice(0, end)
    if (key === "event") name = value
    else if (key === "data") data = data === undefined ? value : `${data}\n${value}`
    else if (key === "id" && !value.includes("\0")) id = value
  }

  /** Processes a complete line, and returns the event that it ends. */
  const processLine = (line: string): ServerEvent | undefined => {
    if (line !== "") {
      // A comment begins with the colon, so its field name is empty.
      processField(line)
      return undefined
    }
    const event = data === undefined ? undefined : { name, data, id }
    name = ""
    data = undefined
    return event
  }

  return {
    push: (bytes) => {
      const decoded = decoder.decode(bytes, { stream: true })
      if (decoded === "") return []
      const text = isAfterReturn && decoded.startsWith("\n") ? decoded.slice(1) : decoded
      isAfterReturn = decoded.endsWith("\r")
      const events: Array<ServerEvent> = []
      let from = 0
      for (const { 0: end, index } of text.matchAll(/\r\n?|\n/g)) {
        const event = processLine(rest + text.slice(from, index))
        if (event !== undefined) events.push(event)
        rest = ""
        from = index + end.length
      }
      rest += text.slice(from)
      return events
    },
    held: () => rest.length + (data?.length ?? 0)
  }
}
