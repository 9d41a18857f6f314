import * as Effect from "effect/Effect"
import type { ReactNode } from "react"
import { useState } from "react"
import { formatCount } from "../../format/Count.ts"
import { Card } from "../../parts/Card.tsx"
import { Problem } from "../../parts/Loaded.tsx"
import { useKey } from "../../service/Key.ts"
import type { Faults, SandboxError } from "../../service/Sandbox.ts"
import { reorg, setFaults } from "../../service/Sandbox.ts"
import { useRuntime } from "../../service/Session.tsx"
import { findPreset, presets, reorgDepth } from "./FaultPresets.ts"
import "./sandbox-panel.css"

/** Injects faults into the sandbox. `children` stand before the faults. */
export const SandboxPanel = ({
  children,
  faults,
  problem
}: {
  readonly children: ReactNode
  readonly faults: Faults["faults"]
  readonly problem: string | undefined
}) => {
  const key = useKey() ?? ""
  const runtime = useRuntime()
  const on = findPreset(faults)
  const [said, setSaid] = useState("")
  const give = (order: Effect.Effect<void, SandboxError>, done: string) =>
    void runtime.runFork(
      order.pipe(Effect.match({ onFailure: ({ message }) => setSaid(message), onSuccess: () => setSaid(done) }))
    )
  const setPreset = (preset: (typeof presets)[number] | undefined) =>
    give(setFaults(key, preset?.faults ?? []), preset === undefined ? "The faults are off." : `${preset.title}: on.`)
  const hits = faults.reduce((sum, fault) => sum + fault.hits, 0)
  return (
    <Card
      className="sandbox"
      title="Sandbox"
      aside={
        <span className="quiet num">{faults.length === 0 ? "no fault" : `struck ${formatCount(hits, "time")}`}</span>
      }
    >
      {problem === undefined ? null : <Problem>{problem}</Problem>}
      <p className="quiet">
        The exchange and the chain are this service’s own. Make them fail, and watch what the service says of it.
      </p>
      {children}
      <div className="switches">
        {presets.map((preset) => {
          const isOn = preset === on
          return (
            <button
              key={preset.title}
              type="button"
              aria-pressed={isOn}
              onClick={() => setPreset(isOn ? undefined : preset)}
            >
              <strong>{preset.title}</strong>
              <small>{preset.effect}</small>
            </button>
          )
        })}
        <button
          type="button"
          onClick={() => give(reorg(key, reorgDepth), "The chain has left its branch: see Blocks.")}
        >
          <strong>Reorganize the chain</strong>
          <small>Replaces its newest {reorgDepth} blocks by others. The index follows.</small>
        </button>
        <button type="button" disabled={faults.length === 0} onClick={() => setPreset(undefined)}>
          <strong>Heal</strong>
          <small>Switches every fault off.</small>
        </button>
      </div>
      <p className="note" role="status">
        {said}
      </p>
    </Card>
  )
}
