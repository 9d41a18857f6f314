import { Data } from "effect"

export type DevnetFailure =
  /** There is no anvil program for this machine, or it was not installed. */
  | "Unsupported"
  /** Another process listens on the port that was asked for. */
  | "PortInUse"
  /** anvil exited before it responded. */
  | "StartFailed"
  /** anvil exited while it was in use. */
  | "Exited"
  /** anvil rejected a request or returned something unexpected. */
  | "Rpc"
  /** The chain has fewer blocks than are to be removed or replaced, or their number is not a whole one. */
  | "InvalidDepth"

/** An error of the devnet. `message` says what happened, and what to do. */
export class DevnetError extends Data.TaggedError("DevnetError")<{
  readonly reason: DevnetFailure
  readonly message: string
  readonly cause?: unknown
}> {}
