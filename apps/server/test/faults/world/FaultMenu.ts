import type { Fault } from "@chaintape/sandbox"

/** Faults of the exchange that a recording survives without a gap. */
export const menu: ReadonlyArray<Fault> = [
  { kind: "socket-drop", mode: "clean", endpoint: "stream", rate: 0.002 },
  { kind: "socket-drop", mode: "reset", endpoint: "stream", rate: 0.001 },
  { kind: "socket-drop", mode: "silence", endpoint: "stream", afterRequests: 300, count: 1 },
  { kind: "frame-loss", endpoint: "stream", rate: 0.01 },
  { kind: "duplicate", content: "same", endpoint: "stream", rate: 0.02 },
  { kind: "out-of-order", window: 30, endpoint: "stream", rate: 0.02 },
  { kind: "rate-limited", retryAfter: "seconds", seconds: 1, endpoint: "trades", rate: 0.05 },
  { kind: "server-error", status: 503, endpoint: "trades", rate: 0.05 },
  { kind: "html-page", contentType: "json", endpoint: "trades", rate: 0.03 },
  { kind: "truncated-body", bytes: 3000, contentLength: "original", endpoint: "trades", rate: 0.03 },
  { kind: "changed-shape", change: "null-price", endpoint: "trades", rate: 0.02 },
  { kind: "stale-page", seconds: 2, endpoint: "trades", rate: 0.05 }
]
