import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { ensureCluster } from "./ClusterDirectory.ts"
import type { Engine } from "./Duplex.ts"

type Reply = { readonly id: number; readonly data?: Uint8Array; readonly error?: string }

interface Pending {
  readonly onData: (data: Uint8Array) => void
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** The thread of an engine. What does not depend on its directory is loaded at once. */
export const startEngineThread = (): Worker => new Worker(new URL("./worker.ts", import.meta.url))

/** Opens the embedded Postgres in a thread of its own: a heavy query must not stop the service's requests. */
export const openEngine = async (
  dataDir: string,
  worker: Worker = startEngineThread()
): Promise<Engine & { readonly close: () => Promise<void> }> => {
  await ensureCluster(dataDir)
  const calls = new Map<number, Pending>()
  let stopped: Error | undefined
  const failAll = (error: Error) => {
    stopped ??= error
    for (const call of calls.values()) call.reject(error)
    calls.clear()
  }
  worker.ref()
  worker.postMessage({ dataDir }, [])
  await once(worker, "message") // ready; rejects when the worker cannot open the directory
  worker.on("error", failAll).on("exit", () => failAll(new Error("The embedded database has stopped.")))
  worker.on("message", (reply: Reply) => {
    const call = calls.get(reply.id)
    if (call === undefined) return
    if (reply.data !== undefined) return call.onData(reply.data)
    calls.delete(reply.id)
    if (reply.error === undefined) call.resolve()
    else call.reject(new Error(reply.error))
  })
  let next = 0
  const send = (
    op: "exec" | "reset" | "close",
    message?: Uint8Array<ArrayBuffer>,
    onData: Pending["onData"] = () => {}
  ) =>
    new Promise<void>((resolve, reject) => {
      if (stopped !== undefined) return reject(stopped)
      const id = next++
      calls.set(id, { onData, resolve, reject })
      worker.postMessage({ id, op, message }, message === undefined ? [] : [message.buffer])
    })
  return {
    exec: (message, onData) => send("exec", message, onData),
    reset: () => send("reset"),
    // A database that is gone already needs no goodbye.
    close: () =>
      send("close")
        .catch(() => {})
        .then(() => worker.terminate())
        .then(() => {})
  }
}
