import { kill } from "node:process"
import { Effect, Schema } from "effect"
import type { Started } from "../StartedProgram.ts"
import { until } from "../StartedProgram.ts"

/** A `Map`, `Set` or array of a process. */
export interface Collection {
  readonly kind: string
  readonly size: number
  /** Its first entry, as text: it shows what the collection is for. */
  readonly sample: string
}

const Collections = Schema.Array(Schema.Struct({ kind: Schema.String, size: Schema.Int, sample: Schema.String }))
const Reply = Schema.Struct({ id: Schema.Int, result: Schema.Unknown })
const Handle = Schema.Struct({ objectId: Schema.String })
const decodeReply = Schema.decodeUnknownSync(Schema.fromJsonString(Reply))
const decodeHandle = (member: string) => Schema.decodeUnknownSync(Schema.Struct({ [member]: Handle }))
const decodeValue = Schema.decodeUnknownSync(Schema.Struct({ result: Schema.Struct({ value: Collections }) }))

/** Runs in the process, with all collections of one kind as `this`. The prototype among them has no size. */
const largest = `function (kind, least) {
  const tried = (look) => { try { return look() } catch { return undefined } }
  const toSize = (one) => tried(() => one.size ?? one.length) ?? 0
  const toSample = (one) => String(tried(() => JSON.stringify(one[Symbol.iterator]().next().value)))
  return this.filter((one) => toSize(one) >= least)
    .map((one) => ({ kind, size: toSize(one), sample: toSample(one).slice(0, 120) }))
}`

const kinds = ["Map", "Set", "Array"]

const collect = async (url: string, least: number): Promise<ReadonlyArray<Collection>> => {
  const socket = new WebSocket(url)
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve)
    socket.addEventListener("error", reject)
  })
  let count = 0
  const send = (method: string, params: object): Promise<unknown> => {
    const id = ++count
    return new Promise((resolve) => {
      const listen = ({ data }: MessageEvent) => {
        const reply = decodeReply(String(data))
        if (reply.id !== id) return
        socket.removeEventListener("message", listen)
        resolve(reply.result)
      }
      socket.addEventListener("message", listen)
      socket.send(JSON.stringify({ id, method, params }))
    })
  }
  try {
    const found: Array<Collection> = []
    for (const kind of kinds) {
      const prototype = decodeHandle("result")(
        await send("Runtime.evaluate", { expression: `${kind}.prototype`, objectGroup: "all" })
      )["result"]
      // The garbage is collected first.
      const all = decodeHandle("objects")(
        await send("Runtime.queryObjects", { prototypeObjectId: prototype?.objectId, objectGroup: "all" })
      )["objects"]
      const { result } = decodeValue(
        await send("Runtime.callFunctionOn", {
          functionDeclaration: largest,
          objectId: all?.objectId,
          arguments: [{ value: kind }, { value: least }],
          returnByValue: true
        })
      )
      found.push(...result.value)
      await send("Runtime.releaseObjectGroup", { objectGroup: "all" })
    }
    return found
  } finally {
    socket.close()
  }
}

/**
 * The collections of at least `least` entries on the main thread of a process that was started with `NODE_OPTIONS`
 * `--inspect-port=0`.
 */
export const collectionsOf = Effect.fnUntraced(function* (started: Started, least: number) {
  kill(started.pid, "SIGUSR1")
  const url = yield* until("the debugger", () => /Debugger listening on (ws:\S+)/.exec(started.output())?.[1])
  return yield* Effect.promise(() => collect(url, least))
})
