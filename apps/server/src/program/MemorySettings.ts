import process from "node:process"
import { makeCompiledFolder } from "../internal/process/dataDirectory.ts"
import { smallHeap } from "../internal/process/heapGrowth.ts"

/**
 * Of V8. Without a limit, the young generation takes 100 MB on a machine with much memory, the old one grows to three times
 * of what is in use before it is collected, and as many functions are optimized at once as there are threads for it.
 */
const youngGeneration = "--max-semi-space-size"
const settings = [smallHeap, "--concurrent-turbofan-max-threads=1", "--wasm-num-compilation-tasks=1"]

/**
 * Of the C library. V8's compilers free up to 100 MB at once, and responses free chunks of 110 kB. With a heap for each
 * thread, and with blocks of any size in them, 160 MB of that stay resident.
 */
const heaps = "MALLOC_ARENA_MAX"
const heapSettings = { [heaps]: "2", MALLOC_TRIM_THRESHOLD_: "131072", MALLOC_MMAP_THRESHOLD_: "65536" }

/** Node compiles TypeScript with a program of its own, which stays in memory, unless its cache has every module. */
const compileCache = "NODE_COMPILE_CACHE"

/**
 * Replaces this process by itself with the memory settings that can only be given to a process at its start, unless they
 * are given. The id of the process, its parent and its streams stay the same. Programs that it starts inherit the settings
 * of the C library. `youngMb` is the size of each half of the young generation.
 * Takes about 0.1 s, and is not possible on Windows.
 */
export const restartWithMemorySettings = (youngMb: number): void => {
  const { env, execArgv, execPath } = process
  if (process.execve === undefined || process.platform === "win32" || env[heaps] !== undefined) return
  const isGiven = [...execArgv, env["NODE_OPTIONS"] ?? ""].some((options) => options.includes(youngGeneration))
  const flags = isGiven ? [] : [`${youngGeneration}=${youngMb}`, ...settings]
  const compiled = makeCompiledFolder()
  const own = { ...heapSettings, ...(compiled === undefined ? {} : { [compileCache]: compiled }) }
  process.execve(execPath, [execPath, ...flags, ...execArgv, ...process.argv.slice(1)], { ...own, ...env })
}
