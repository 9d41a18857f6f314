import { existsSync, lstatSync, mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

/**
 * Makes a directory and its parents, and throws if it cannot be made. Node's recursive `mkdir` never ends below /proc: there the
 * system says that a parent is missing when it refuses a directory.
 */
export const makeDirectory = (path: string): void => {
  const parent = dirname(path)
  if (parent !== path && !existsSync(parent)) makeDirectory(parent)
  try {
    mkdirSync(path)
  } catch (cause) {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found?.isDirectory() === true) return
    const isLink = found === undefined && lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
    throw isLink ? new Error(`"${path}" is a symbolic link whose target is missing`, { cause }) : cause
  }
}
