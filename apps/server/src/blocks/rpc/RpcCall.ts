import { Array as Arr, Data, Effect } from "effect"
import type { BlockSourceError } from "../BlockSource.ts"

/** A call of JSON-RPC. */
export interface RpcCall {
  readonly method: string
  readonly params: ReadonlyArray<unknown>
  /** The failure of this call becomes its result, a `CallFailure`, instead of failing the whole request. */
  readonly mayFail?: true
}

/** A number as the interface encodes it. */
export const toQuantity = (value: number | bigint): string => `0x${value.toString(16)}`

export const chainIdCall: RpcCall = { method: "eth_chainId", params: [] }

/** The block with this number, or with the tag "latest". */
export const blockCall = (block: number | "latest"): RpcCall => ({
  method: "eth_getBlockByNumber",
  params: [block === "latest" ? block : toQuantity(block), false]
})

/** The error response to one call. */
export class RpcFault extends Data.Class<{ readonly code: number; readonly message: string }> {}

/** Completes a sentence that begins with the node's name. */
export const toErrorText = ({ code, message }: { readonly code: number; readonly message: string }): string =>
  `answered the error ${code}: "${message}"`

/** The response to one call is larger than this service reads. `what` completes a sentence that begins with the node's name. */
export class OversizedReply extends Data.Class<{ readonly what: string }> {}

/** Why a call that may fail has no result. */
export type CallFailure = RpcFault | OversizedReply

export const isCallFailure = (reply: unknown): reply is CallFailure =>
  reply instanceof RpcFault || reply instanceof OversizedReply

/** Completes a sentence that begins with the node's name. */
export const toFailureText = (failure: CallFailure): string =>
  failure instanceof RpcFault ? toErrorText(failure) : failure.what

/** Sends calls to one node, and returns their results in the same order. */
export type Send = (calls: ReadonlyArray<RpcCall>) => Effect.Effect<ReadonlyArray<unknown>, BlockSourceError>

/** Calls per request: few round trips, within the limits of public nodes. */
const callsPerRequest = 100
const concurrentRequests = 4

/** Sends any number of calls. */
export const sendAll = (send: Send, calls: ReadonlyArray<RpcCall>): ReturnType<Send> =>
  Effect.forEach(Arr.chunksOf(calls, callsPerRequest), send, { concurrency: concurrentRequests }).pipe(
    Effect.map((replies) => replies.flat())
  )

/** Facts about a node that later calls depend on. */
export interface NodeMemory {
  /** Methods that it does not have. */
  readonly lacks: Set<string>
  /** The newest block that it called finalized; undefined if it never did. */
  finalized: number | undefined
  /** The most blocks whose logs are requested from it at once. */
  logBlocks: number
  /** The queries for logs that it answered since it refused one. */
  logQueries: number
}
