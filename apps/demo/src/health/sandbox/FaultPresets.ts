/** A fault in the format of the sandbox exchange. */
interface Fault {
  readonly kind: "server-error" | "frame-loss" | "socket-drop" | "duplicate" | "out-of-order"
  readonly endpoint: "trades" | "stream"
  readonly mode?: "reset" | "silence"
  readonly content?: "same"
  readonly status?: number
  readonly rate?: number
  readonly count?: number
  readonly window?: number
}

/** A fault that the sandbox exchange reports, with its two counters. */
type ActiveFault = Readonly<Record<string, unknown>>

/** The faults that the panel can inject. */
interface Preset {
  readonly title: string
  readonly effect: string
  readonly faults: ReadonlyArray<Fault>
}

const noPages: Fault = { kind: "server-error", status: 503, endpoint: "trades" }

/** The number of blocks that an order for a reorg replaces. */
export const reorgDepth = 4

export const cutUpstream: Preset = {
  title: "Cut the upstream",
  effect:
    "The stream loses trades and the exchange refuses to give them again: a gap that stays until the exchange gives them.",
  faults: [{ kind: "frame-loss", endpoint: "stream", count: 60 }, noPages]
}

export const presets: ReadonlyArray<Preset> = [
  cutUpstream,
  {
    title: "Drop the connection",
    effect: "The stream is cut again and again: what was missed is read from the exchange.",
    faults: [{ kind: "socket-drop", mode: "reset", endpoint: "stream", rate: 0.01 }]
  },
  {
    title: "Fall silent",
    effect: "The connection stays open, but silent, until the service detects it.",
    faults: [{ kind: "socket-drop", mode: "silence", endpoint: "stream", count: 1 }]
  },
  {
    title: "Send twice, out of order",
    effect: "Trades come several times and late. The tape stays as it was.",
    faults: [
      { kind: "duplicate", content: "same", endpoint: "stream", rate: 0.3 },
      { kind: "out-of-order", window: 20, endpoint: "stream", rate: 0.3 }
    ]
  }
]

const isSame = (fault: Fault, active: ActiveFault | undefined) => {
  if (active === undefined) return false
  const { hits: _hits, seen: _seen, ...rest } = active
  const members = Object.entries(fault)
  return Object.keys(rest).length === members.length && members.every(([member, value]) => rest[member] === value)
}

/** The preset that the active faults are of, if they are of one. */
export const findPreset = (active: ReadonlyArray<ActiveFault>): Preset | undefined =>
  presets.find(
    ({ faults }) => faults.length === active.length && faults.every((fault, index) => isSame(fault, active[index]))
  )
