import { parentPort, workerData } from "node:worker_threads"
import { PGlite } from "@electric-sql/pglite"

type Call =
  | { readonly id: number; readonly op: "reset" | "close" }
  | { readonly id: number; readonly op: "exec"; readonly message: Uint8Array }

const sync = new Uint8Array([0x53, 0, 0, 0, 4]) // ends a half-sent extended query
const database = await PGlite.create(workerData)
const answer = (message: object, give: Array<ArrayBuffer> = []) => parentPort?.postMessage(message, give)

const run = async (call: Call): Promise<void> => {
  if (call.op === "exec") {
    await database.runExclusive(() =>
      database.execProtocolRawStream(call.message, {
        onRawData: (view) => {
          const data = view.slice() // a view of the engine's heap: copy, then give the copy away
          answer({ id: call.id, data }, [data.buffer])
        }
      })
    )
  } else if (call.op === "reset") {
    await database.runExclusive(() => database.execProtocolRawStream(sync, { onRawData: () => {} }))
    await database.exec("ROLLBACK")
    await database.exec("DISCARD ALL") // also drops prepared statements, whose names restart at 1
  } else {
    await database.close()
  }
}

parentPort?.on("message", (call: Call) => {
  run(call).then(
    () => answer({ id: call.id, done: true }),
    (error) => answer({ id: call.id, error: String(error) })
  )
})
answer({ ready: true })
