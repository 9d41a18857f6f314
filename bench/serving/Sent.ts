import { writeFileSync } from "node:fs"
import { get } from "node:http"
import { join } from "node:path"
import { serviceKey } from "../recording/RecordingService.ts"

/** The measured operation with its parameters. */
export interface Question {
  readonly name: string
  readonly template: string
  readonly path: string
  readonly requests: number
  readonly connections: number
  /** Additional headers of the request. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface ServedResponse {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Both ways to send a key are common; no log contains the header. */
export const headersOfRequest = { "api-key": serviceKey, accept: "application/json" }

export const ask = (port: number, path: string): Promise<ServedResponse> =>
  new Promise((resolve, reject) => {
    get({ host: "127.0.0.1", port, path, headers: headersOfRequest }, (response) => {
      const parts: Array<Buffer> = []
      response.on("data", (part: Buffer) => parts.push(part)).on("error", reject)
      response.on("end", () => {
        const body = Buffer.concat(parts)
        if (response.statusCode === 200) {
          const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)])
          return resolve({ headers: Object.fromEntries(headers), body })
        }
        return reject(new Error(`"${path}" was answered with ${response.statusCode}: ${body.toString()}`))
      })
    }).on("error", reject)
  })

/** The headers that every server writes itself. */
const ofTheServer = ["date", "connection", "keep-alive"]

/** The headers of the service that another server sends. */
export const toSentHeaders = (headers: ServedResponse["headers"]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofTheServer.includes(name)))

/** Writes the responses of the other servers: the exact bytes and headers of the service. */
export const writeSent = (folder: string, responses: ReadonlyArray<readonly [Question, ServedResponse]>): string => {
  const routes = responses.map(([{ template }, { body, headers }], at) => {
    const bodyFile = join(folder, `body-${at}`)
    writeFileSync(bodyFile, body)
    return { template, pattern: `^${template.replace(/:\w+/g, "[^/]+")}$`, headers: toSentHeaders(headers), bodyFile }
  })
  const file = join(folder, "sent.json")
  writeFileSync(file, JSON.stringify(routes))
  return file
}

/** Differs with every request, and with the plan of its key. */
const ofTheRequest = ["x-request-id", "ratelimit-policy", "ratelimit-remaining", "ratelimit", "ratelimit-reset"]

/** Fails unless a server sends the same bytes under headers of the same names. */
export const checkSame = (name: string, asked: string, expected: ServedResponse, found: ServedResponse): void => {
  if (!expected.body.equals(found.body)) throw new Error(`${name} answers "${asked}" with other bytes.`)
  for (const [header, value] of Object.entries(expected.headers)) {
    if (ofTheServer.includes(header)) continue
    const own = found.headers[header]
    if (own === undefined || (own !== value && !ofTheRequest.includes(header))) {
      throw new Error(`${name} answers "${asked}" with "${header}: ${own}" instead of "${value}".`)
    }
  }
}
