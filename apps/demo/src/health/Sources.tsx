import { Card } from "../parts/Card.tsx"
import { groupDigits } from "../parts/Count.ts"
import { Ago } from "../parts/time/Ago.tsx"
import type { IndexStatus, SourceStatus, Status } from "../service/Status.ts"
import { Progress } from "./Progress.tsx"
import { State } from "./State.tsx"

const Row = ({
  index,
  now,
  source
}: {
  readonly source: SourceStatus
  readonly index: IndexStatus | undefined
  readonly now: number
}) => {
  const { head, id, kind, lastError, lastErrorAt, lastSuccessAt, state } = source
  const problem = index?.lastError ?? lastError
  return (
    <tr>
      <td>
        {id} <span className="quiet">{kind}</span>
      </td>
      <td className="text">
        <State state={index?.state ?? state} />
      </td>
      <td>{lastSuccessAt === null ? "–" : <Ago millis={lastSuccessAt} now={now} />}</td>
      <td className="num">{head === null ? "–" : groupDigits(head)}</td>
      <td>
        <Progress label={`Blocks of ${id} that are indexed`} done={index?.indexed ?? null} of={index?.head ?? null} />
      </td>
      <td>
        <Progress label={`Blocks of ${id} that are proven`} done={index?.proven ?? null} of={index?.indexed ?? null} />
      </td>
      <td className="num" data-reorgs={index?.reorgs}>
        {index === undefined ? "–" : groupDigits(index.reorgs)}
      </td>
      <td className="wrap">
        {problem === null ? <span className="quiet">none</span> : problem}
        {problem === null || lastErrorAt === null ? null : (
          <>
            {" "}
            <span className="quiet">
              <Ago millis={lastErrorAt} now={now} />
            </span>
          </>
        )}
      </td>
    </tr>
  )
}

/** Each source, and how far its index and the proof of it are. */
export const Sources = ({ status: { indexes, now, sources } }: { readonly status: Status }) => (
  <Card title="Sources">
    <div className="scroll" tabIndex={0} role="region" aria-label="Table of sources">
      <table>
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col" className="text">
              State
            </th>
            <th scope="col">Last success</th>
            <th scope="col">Head</th>
            <th scope="col">Indexed</th>
            <th scope="col">Proven</th>
            <th scope="col">Reorgs</th>
            <th scope="col" className="text">
              Last error
            </th>
          </tr>
        </thead>
        <tbody>
          {sources.map((source) => (
            <Row
              key={`${source.kind} ${source.id}`}
              source={source}
              index={indexes.find(({ key }) => source.kind === "dex" && key === source.id)}
              now={now}
            />
          ))}
        </tbody>
      </table>
    </div>
  </Card>
)
