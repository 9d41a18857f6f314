import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { useEffect, useState } from "react"
import { replaceHref } from "../../route/Route.ts"
import { useRuntime } from "../../service/Session.tsx"

/** While the slider moves, the address stays: browsers limit how often it may change. */
const rest = "300 millis"

/** The block of the address, and a way to move it. `toHref` returns the address of the page as of a block. */
export const useBlock = (ofAddress: number | undefined, toHref: (block: number | undefined) => string) => {
  const runtime = useRuntime()
  const [block, setBlock] = useState(ofAddress)
  useEffect(() => setBlock(ofAddress), [ofAddress])
  const href = toHref(block)
  useEffect(() => {
    if (block === ofAddress) return undefined
    // The first block is a new entry of the history, so that Back returns to the newest one.
    const write = Effect.sync(() => (ofAddress === undefined ? window.location.assign(href) : replaceHref(href)))
    const fiber = runtime.runFork(Effect.delay(write, rest))
    return () => void runtime.runFork(Fiber.interrupt(fiber))
  }, [runtime, block, ofAddress, href])
  return [block, setBlock] as const
}
