import type { Faults } from "../../service/Sandbox.ts"

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

/** The faults that the panel can inject. */
interface Preset {
  readonly title: string
  readonly effect: string
  readonly faults: ReadonlyArray<Fault>
}

const noPages: Fault = { kind: "server-error", status: 503, endpoint: "trades" }

export const presets: ReadonlyArray<Preset> = [
  {
    title: "Cut the upstream",
    effect: "The stream loses trades and the exchange refuses to give them again: a gap that stays until it is healed.",
    faults: [{ kind: "frame-loss", endpoint: "stream", count: 60 }, noPages]
  },
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

/** Beside the members of a preset, the sandbox has two counters. */
const isSame = (fault: Fault, active: Faults["faults"][number] | undefined) => {
  const members = Object.entries(fault)
  return (
    active !== undefined &&
    Object.keys(active).length === members.length + 2 &&
    members.every(([member, value]) => active[member] === value)
  )
}

/** The preset that the active faults are of, if they are of one. */
export const findPreset = (active: Faults["faults"]): Preset | undefined =>
  presets.find(
    ({ faults }) => faults.length === active.length && faults.every((fault, index) => isSame(fault, active[index]))
  )
