import { useEffect, useRef, useState } from "react"
import { maskedKey } from "../service/Key.ts"
import type { ShownRequest } from "../service/ShownRequests.ts"
import { useShownRequests } from "../service/ShownRequests.ts"
import { Code } from "./Code.tsx"
import { RawResponse } from "./RawResponse.tsx"
import { toCurl } from "./toCurl.ts"
import "./drawer.css"

const Request = ({ apiKey, request }: { readonly apiKey: string; readonly request: ShownRequest }) => (
  <>
    <Code title="curl" text={toCurl(request.path, maskedKey(apiKey))} copied={toCurl(request.path, apiKey)} />
    <Code
      title="TypeScript"
      text={request.typescript}
      note="It takes the address and the key from CHAINTAPE_BASE_URL and CHAINTAPE_API_KEY."
    />
    <RawResponse apiKey={apiKey} path={request.path} key={request.path} />
  </>
)

/** The requests of the current view: as HTTP, as code, and with the raw response. */
export const TryIt = ({ apiKey, onClose }: { readonly apiKey: string; readonly onClose: () => void }) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const requests = useShownRequests()
  const [at, setAt] = useState(0)
  const chosen = requests[Math.min(at, requests.length - 1)]
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="drawer" aria-labelledby="try-it" onClose={onClose}>
      <div className="drawer-top">
        <h2 id="try-it">API requests of this page</h2>
        <button type="button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
      <div className="choice" role="group" aria-label="Request">
        {requests.map((request, index) => (
          <button key={request.path} type="button" aria-pressed={request === chosen} onClick={() => setAt(index)}>
            {request.summary}
          </button>
        ))}
      </div>
      {chosen === undefined ? (
        <p className="quiet">This page requests only the status, which needs no key: {window.location.origin}/status</p>
      ) : (
        <Request apiKey={apiKey} request={chosen} />
      )}
    </dialog>
  )
}
