import { connect } from "node:net"

/**
 * Readers of a kilobyte per second, in their own process. The arguments are the origin, the path, the key, their
 * number, and the maximum milliseconds: they end when their standard input ends. It writes one line of JSON when all
 * have received the beginning of a response: their statuses.
 */
const [origin = "", path = "", key = "", count = "0", duration = "0"] = process.argv.slice(2)
const { hostname, port } = new URL(origin)

const readers = Array.from({ length: Number(count) }, () => {
  let head = ""
  const callback = (size: number, buffer: Uint8Array) => {
    if (head === "") {
      head = Buffer.from(buffer.subarray(0, Math.min(size, 40))).toString("latin1")
      tell()
    }
    return false // reads no further until it is told to
  }
  const socket = connect({ host: hostname, port: Number(port), onread: { buffer: Buffer.alloc(1024), callback } })
  socket.on("error", () => {})
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\napi-key: ${key}\r\n\r\n`)
  return { socket, status: () => head.slice(9, 12) }
})

const timer = setInterval(() => {
  for (const { socket } of readers) socket.resume()
}, 1000)

const tell = () => {
  if (readers.some(({ status }) => status() === "")) return
  const count = (wanted: string) => readers.filter(({ status }) => status() === wanted).length
  process.stdout.write(`${JSON.stringify({ served: count("200"), refused: count("503") })}\n`)
}
const leave = () => {
  clearInterval(timer)
  clearTimeout(longest)
  process.stdin.destroy()
  for (const { socket } of readers) socket.destroy()
}
const longest = setTimeout(leave, Number(duration))
process.stdin.resume().on("end", leave)
