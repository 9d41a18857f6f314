const badges: Readonly<Record<string, string>> = {
  ok: "good",
  realtime: "good",
  live: "good",
  "catching-up": "warn",
  failing: "bad",
  stopped: "bad",
  disconnected: "bad"
}

/** The state of a source, an index or a recording. */
export const State = ({ state }: { readonly state: string }) => (
  <span className={`badge ${badges[state] ?? ""}`}>{state}</span>
)
