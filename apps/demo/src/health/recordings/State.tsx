import type { State as Word } from "../../service/Status.ts"

const badges: Readonly<Record<Word, string>> = {
  idle: "",
  starting: "",
  historical: "",
  unsupported: "",
  unknown: "",
  ok: "good",
  realtime: "good",
  live: "good",
  "catching-up": "warn",
  failing: "bad",
  stopped: "bad",
  disconnected: "bad"
}

/** The state of a source, an index or a recording. */
export const State = ({ state }: { readonly state: Word }) => <span className={`badge ${badges[state]}`}>{state}</span>
