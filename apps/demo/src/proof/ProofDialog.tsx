import { useEffect, useRef } from "react"
import { ReadProblem } from "../parts/Loaded.tsx"
import { Waiting } from "../parts/Waiting.tsx"
import { maskedKey } from "../service/Key.ts"
import { usePolling } from "../service/usePolling.ts"
import { Code } from "../tryit/Code.tsx"
import { toCurl } from "../tryit/toCurl.ts"
import type { Claim } from "./Claim.ts"
import { closeProof } from "./Claim.ts"
import { RecordingFacts } from "./RecordingFacts.tsx"
import { ResponseFacts } from "./ResponseFacts.tsx"
import { ValueTable } from "./ValueTable.tsx"
import { Verdict } from "./Verdict.tsx"
import "../tryit/drawer.css"
import "./proof.css"

/** The figure may be gone when the dialog closes: its region gets the focus then. */
const useFocusReturn = () => {
  useEffect(() => {
    const figure = document.activeElement
    const region = figure?.closest<HTMLElement>("[tabindex='0']") ?? document.getElementById("main")
    return () => {
      if (figure instanceof HTMLElement && figure.isConnected) figure.focus()
      else region?.focus()
    }
  }, [])
}

/** The proof of a figure: every digit, source, block, finality, what proves it, and the request that returns it. */
export const ProofDialog = ({ apiKey, claim }: { readonly apiKey: string; readonly claim: Claim }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useFocusReturn()
  useEffect(() => dialog.current?.showModal(), [])
  const { problem, value } = usePolling(`proof ${claim.title} ${claim.request.path}`, claim.read, undefined)
  return (
    <dialog ref={dialog} className="drawer" aria-labelledby="proof" onClose={closeProof}>
      <div className="drawer-top">
        <h2 id="proof">Proof: {claim.title}</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <p className="quiet">{claim.subject}</p>
      <ValueTable claim={claim} evidence={value} />
      {problem === undefined ? null : <ReadProblem problem={problem} />}
      {value !== undefined ? (
        <Verdict claim={claim} evidence={value} />
      ) : problem === undefined ? (
        <Waiting>The proof is being read.</Waiting>
      ) : null}
      {value === undefined ? null : (
        <dl className="facts">
          <ResponseFacts answer={value.answer} blockchain={claim.blockchain} />
          {claim.listing === undefined ? null : <RecordingFacts {...claim.listing} />}
        </dl>
      )}
      <Code
        title="The request, for a terminal"
        text={toCurl(claim.request.path, maskedKey(apiKey))}
        copied={toCurl(claim.request.path, apiKey)}
        note="The copied line contains your key."
      />
    </dialog>
  )
}
