import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { getuid } from "node:process"
import { Effect } from "effect"
import { Workshop } from "./Workshop.ts"

/** Mounting needs root. */
export const mayMount = getuid?.() === 0

/** A separate file system, which can be filled to the last byte. */
export const smallDisk = Effect.fnUntraced(function* (megabytes: number) {
  const { atTheEnd, directory } = yield* Workshop
  const path = join(directory, "disk")
  mkdirSync(path)
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path])
  atTheEnd(`umount -l ${path}`)
  const ballast = join(path, "ballast")
  const piece = Buffer.alloc(1 << 20)
  const left = () => {
    const { bavail, bsize } = statfsSync(path)
    return bavail * bsize
  }
  return {
    path,
    /** Takes the free space repeatedly, so that space released by others is taken, too. */
    fill: Effect.sync(() => {
      while (left() > 0) {
        try {
          writeFileSync(ballast, piece.subarray(0, Math.min(piece.length, left())), { flag: "a" })
        } catch {
          // Another process took the rest.
          return
        }
      }
    }),
    empty: Effect.sync(() => rmSync(ballast, { force: true }))
  }
})
