import { Card } from "../parts/Card.tsx"
import type { Status } from "../service/Status.ts"

const badges: Readonly<Record<string, string>> = {
  ok: "good",
  realtime: "good",
  live: "good",
  failing: "bad",
  stopped: "bad",
  disconnected: "bad"
}

export const State = ({ state }: { readonly state: string }) => (
  <span className={`badge ${badges[state] ?? ""}`}>{state}</span>
)

const count = (value: number | null) => (value === null ? "–" : value.toLocaleString("en"))

/** Each source, and each index with its lag. */
export const Sources = ({ status }: { readonly status: Status }) => (
  <Card title="Sources">
    <div className="scroll" tabIndex={0} role="region" aria-label="Table of sources">
      <table>
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col" className="text">
              Kind
            </th>
            <th scope="col" className="text">
              State
            </th>
            <th scope="col">Head</th>
            <th scope="col">Indexed</th>
            <th scope="col">Lag</th>
            <th scope="col">Proven</th>
            <th scope="col">Reorgs</th>
            <th scope="col" className="text">
              What went wrong
            </th>
          </tr>
        </thead>
        <tbody>
          {status.sources.map((source) => {
            const index = status.indexes.find(({ key }) => source.kind === "dex" && key === source.id)
            return (
              <tr key={`${source.kind} ${source.id}`}>
                <td>{source.id}</td>
                <td className="text">{source.kind}</td>
                <td className="text">
                  <State state={index?.state ?? source.state} />
                </td>
                <td className="num">{count(source.head)}</td>
                <td className="num">{count(index?.indexed ?? null)}</td>
                <td className="num">{count(index?.lag ?? null)}</td>
                <td className="num">{count(index?.proven ?? null)}</td>
                <td className="num">{count(index?.reorgs ?? null)}</td>
                <td className="wrap">{index?.lastError ?? source.lastError ?? "nothing"}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  </Card>
)
