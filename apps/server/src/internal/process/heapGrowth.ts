import process from "node:process"
import { setFlagsFromString } from "node:v8"

const flag = "--heap-growing-percent"

/** V8 collects the old generation when it has grown by this percentage. By default it lets it grow to a multiple. */
export const smallHeap = `${flag}=25`

const isSmall = process.execArgv.includes(smallHeap)
/** By default a large import takes 100 MB more, and hardly less processor time. */
const largeHeap = `${flag}=150`
let large = 0

/**
 * Lets the heap grow to 2.5 times of what is in use until the returned function is called. Work that holds and allocates
 * much spends a quarter of its processor time on collections otherwise.
 */
export const enlargeHeap = (): (() => void) => {
  large += 1
  if (isSmall && large === 1) setFlagsFromString(largeHeap)
  return () => {
    large -= 1
    if (isSmall && large === 0) setFlagsFromString(smallHeap)
  }
}
