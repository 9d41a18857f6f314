import { Data } from "effect"

export type DevnetFailure =
  /** There is no anvil program for this machine, or it was not installed. */
  | "Unsupported"
  /** Another process listens on the port that was asked for. */
  | "PortInUse"
  /** anvil ended before it answered. */
  | "StartFailed"
  /** anvil ended by itself while it was in use. */
  | "Exited"
  /** anvil refused a request or answered with something unexpected. */
  | "Rpc"
  /** The chain can't go back that far, or not by that number. */
  | "InvalidDepth"

/** Something went wrong with the devnet. `message` says what, and what to do. */
export class DevnetError extends Data.TaggedError("DevnetError")<{
  readonly reason: DevnetFailure
  readonly message: string
  readonly cause?: unknown
}> {}
