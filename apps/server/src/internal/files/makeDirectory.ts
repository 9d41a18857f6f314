import { existsSync, lstatSync, mkdirSync, statSync } from "node:fs"
import { dirname } from "node:path"

const isLink = (path: string): boolean => {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    // Nothing is there, or its parent cannot be read: the failure of mkdir says which.
    return false
  }
}

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
    if (existsSync(path) && statSync(path).isDirectory()) return
    if (existsSync(path) || !isLink(path)) throw cause
    throw new Error(`"${path}" is a symbolic link whose target is missing`, { cause })
  }
}
