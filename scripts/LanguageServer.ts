/** The text that an editor shows at the cursor, from the compiler's language server. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { repository } from "./Command.ts"

/** The beginning of `word` in the first line that contains `line`. */
export interface Cursor {
  readonly line: string
  readonly word: string
}

interface Message {
  readonly id?: number | string
  /** In a request of the server. */
  readonly method?: string
  readonly result?: { readonly contents?: { readonly value?: string } } | null
}

const frame = (message: object) => {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message })
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** The first message of what the server wrote, and what follows it. */
const takeMessage = (output: Buffer): readonly [Message, Buffer] | undefined => {
  const head = output.indexOf("\r\n\r\n")
  const length = /Content-Length: (\d+)/i.exec(output.toString("latin1", 0, Math.max(head, 0)))?.[1]
  if (length === undefined) return undefined
  const end = head + 4 + Number(length)
  return end > output.length ? undefined : [JSON.parse(output.toString("utf8", head + 4, end)), output.subarray(end)]
}

/** The texts that are shown at positions of a file, in their order. */
export const hoverTexts = async (
  file: string,
  content: string,
  cursors: ReadonlyArray<Cursor>
): Promise<ReadonlyArray<string>> => {
  const uri = pathToFileURL(file).href
  const lines = content.split("\n")
  const server = spawn(join(repository, "node_modules", ".bin", "tsc"), ["--lsp", "--stdio"], {
    cwd: repository,
    stdio: ["pipe", "pipe", "ignore"],
    signal: AbortSignal.timeout(90_000)
  })
  const responses = new Map<number, Message>()
  const send = (message: object) => server.stdin.write(frame(message))
  const untilAll = new Promise<void>((resolve, reject) => {
    let output: Buffer = Buffer.alloc(0)
    server.on("error", reject)
    server.on("close", () => reject(new Error("The language server ended.")))
    server.stdout.on("data", (chunk: Buffer) => {
      output = Buffer.concat([output, chunk])
      for (let taken = takeMessage(output); taken !== undefined; taken = takeMessage(output)) {
        const [message, rest] = taken
        output = rest
        if (message.method === undefined) responses.set(Number(message.id), message)
        // Of what it asks nothing is needed: no settings, no watched files.
        else if (message.id !== undefined) send({ id: message.id, result: null })
      }
      if (responses.size > cursors.length) resolve()
    })
  })
  send({
    id: cursors.length,
    method: "initialize",
    params: {
      processId: process.pid,
      rootUri: null,
      capabilities: { textDocument: { hover: { contentFormat: ["markdown"] } } }
    }
  })
  send({ method: "initialized", params: {} })
  const textDocument = { uri, languageId: "typescript", version: 1, text: content }
  send({ method: "textDocument/didOpen", params: { textDocument } })
  for (const [id, { line: part, word }] of cursors.entries()) {
    const line = lines.findIndex((one) => one.includes(part))
    const position = { line, character: (lines[line] ?? "").indexOf(word) }
    send({ id, method: "textDocument/hover", params: { textDocument: { uri }, position } })
  }
  try {
    await untilAll
  } finally {
    server.kill()
  }
  return cursors.map((_, id) => responses.get(id)?.result?.contents?.value ?? "")
}
