import { once } from "node:events"
import { setTimeout as sleep } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { Worker } from "node:worker_threads"
import { toMessage } from "../../internal/toMessage.ts"
import { ensureCluster } from "./ClusterDirectory.ts"
import type { Engine, PostgresSession } from "./Duplex.ts"

type Reply = { readonly ended: string } | { readonly id: number; readonly data?: Uint8Array; readonly error?: string }

interface Pending {
  readonly onData: (data: Uint8Array) => void
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/** The engine in its thread, until the thread ends. */
interface EngineThread extends PostgresSession {
  readonly close: () => Promise<void>
  /** Resolves with the reason when the thread has ended. */
  readonly ended: Promise<string>
}

/** The thread allocates messages, most of which are garbage at once. V8 takes 100 MB without a limit. */
const maxYoungGenerationSizeMb = 8

/** The thread of an engine. Modules that do not depend on its directory are loaded at once. */
export const startEngineThread = (): Worker => {
  // V8 can crash the process while it frees code of WebAssembly (https://github.com/nodejs/node/issues/64500). The engine
  // needs its code for as long as the process lives.
  setFlagsFromString("--no-wasm-code-gc")
  return new Worker(new URL("./worker.ts", import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb } })
}

const openThread = async (dataDir: string, worker: Worker, withinMs?: number): Promise<EngineThread> => {
  const calls = new Map<number, Pending>()
  let stopped: Error | undefined
  let reason = "its thread ended"
  let end: (reason: string) => void = () => {}
  const ended = new Promise<string>((resolve) => (end = resolve))
  const failAll = (why: string) => {
    stopped ??= new Error(`The embedded database has stopped: ${why}`)
    for (const call of calls.values()) call.reject(stopped)
    calls.clear()
    end(why)
  }
  worker.ref()
  worker.postMessage({ dataDir }, [])
  // Ready; fails if the worker cannot open the directory.
  const exited = once(worker, "exit").then(() => Promise.reject(new Error("The thread of the database ended.")))
  const ready = Promise.race([once(worker, "message"), exited])
  const overdue = () => Promise.reject(new Error("The embedded database did not open in time."))
  await (withinMs === undefined
    ? ready
    : Promise.race([ready, sleep(withinMs, undefined, { ref: false }).then(overdue)]))
  worker.on("error", (error) => failAll(String(error))).on("exit", () => failAll(reason))
  worker.on("message", (reply: Reply) => {
    if ("ended" in reply) {
      reason = reply.ended
      return
    }
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
    // A database that is already gone needs no shutdown.
    close: () =>
      send("close")
        .catch(() => {})
        .then(() => worker.terminate())
        .then(() => {}),
    ended
  }
}

/** The engine says no more than that it failed. */
const unusable = (dataDir: string, cause: unknown): Error =>
  new Error(
    `PostgreSQL cannot use the files in "${dataDir}": the disk is full, a file is damaged or of another user, or another ` +
      "version wrote them. Free space, make every file writable for the user of the service, " +
      'restore a backup by "chaintape restore FILE --force", or set ' +
      `CHAINTAPE_DATA_DIR to another directory (${toMessage(cause)})`,
    { cause }
  )

const reopenMs = 1000
/** Recovery of the write-ahead log takes less. */
const openingMs = 60_000

/**
 * Opens the embedded PostgreSQL in a thread of its own: a heavy query must not stop the service's requests. If the engine
 * ends, such as by a PANIC while the disk is full, it is opened again until that succeeds, and meanwhile every statement
 * fails. `onEnd` receives the reason of each end, and undefined when the engine is open again;
 * `onFailedReopen` receives why it cannot be opened again, once until that changes.
 */
export const openEngine = async (
  dataDir: string,
  worker: Worker = startEngineThread(),
  onEnd: (reason: string | undefined) => void = () => {},
  onFailedReopen: (reason: string) => void = () => {}
): Promise<Engine & { readonly close: () => Promise<void> }> => {
  await ensureCluster(dataDir)
  let current: EngineThread | undefined = await openThread(dataDir, worker).catch((cause: unknown) => {
    throw unusable(dataDir, cause)
  })
  let isClosing = false

  let starting: Worker | undefined
  let reported: string | undefined
  const reportFailure = (cause: unknown): undefined => {
    const reason = toMessage(cause)
    if (isClosing || reason === reported) return
    reported = reason
    onFailedReopen(reason)
  }

  const reopen = async (): Promise<void> => {
    starting = startEngineThread()
    // Tried again below, until a thread opens.
    const opened = await openThread(dataDir, starting, openingMs).catch(reportFailure)
    if (opened === undefined) {
      await starting.terminate()
      starting = undefined
      await sleep(reopenMs, undefined, { ref: false })
      if (!isClosing) void reopen()
      return
    }
    starting = undefined
    reported = undefined
    current = opened
    onEnd(undefined)
    watch(opened)
  }
  const watch = (opened: EngineThread): void => {
    void opened.ended.then((reason) => {
      current = undefined
      if (isClosing) return
      onEnd(reason)
      void reopen()
    })
  }
  watch(current)

  return {
    session: () => current,
    close: async () => {
      isClosing = true
      // Afterwards another process may open the directory.
      await starting?.terminate()
      await current?.close()
    }
  }
}
