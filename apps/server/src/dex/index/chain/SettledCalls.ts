import { Duration, Effect } from "effect"
import { sendAll } from "../../../blocks/rpc/RpcCall.ts"
import type { RpcCall, Send } from "../../../blocks/rpc/RpcCall.ts"

const headCall: RpcCall = { method: "eth_blockNumber", params: [] }

/** From the state of a block to its number anvil takes up to 5 ms; longer only if it gets no processor. */
const numberDelay = Duration.millis(20)

/**
 * Sends calls to a development node. While it executes the next block, it answers calls as of its newest one with the
 * state of the next. They are sent again when it has that block, whose number it states a few milliseconds after its state.
 */
export const sendSettled = Effect.fnUntraced(function* (send: Send, calls: ReadonlyArray<RpcCall>) {
  if (calls.length === 0) return []
  const [before] = yield* send([headCall])
  const replies = yield* sendAll(send, calls)
  yield* Effect.sleep(numberDelay)
  const [after] = yield* send([headCall])
  return before === after ? replies : yield* sendAll(send, calls)
})
