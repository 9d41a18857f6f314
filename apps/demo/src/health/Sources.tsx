import { groupDigits } from "../format/Count.ts"
import { Card } from "../parts/Card.tsx"
import { Cell, Head, Row, Table } from "../parts/table/Table.tsx"
import { Ago } from "../parts/time/Ago.tsx"
import type { IndexStatus, SourceStatus, Status } from "../service/Status.ts"
import { Progress } from "./Progress.tsx"
import { State } from "./recordings/State.tsx"

const SourceRow = ({
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
  const unproven = index?.unproven ?? null
  return (
    <Row>
      <Cell label="Source">
        {id} <span className="quiet">{kind}</span>
      </Cell>
      <Cell label="State" className="text">
        <State state={index?.state ?? state} />
      </Cell>
      <Cell label="Last success">{lastSuccessAt === null ? "–" : <Ago millis={lastSuccessAt} now={now} />}</Cell>
      <Cell label="Head" className="num">
        {head === null ? "–" : groupDigits(head)}
      </Cell>
      <Cell label="Indexed">
        <Progress label={`Blocks of ${id} that are indexed`} done={index?.indexed ?? null} of={index?.head ?? null} />
      </Cell>
      <Cell label="Proven">
        <Progress label={`Blocks of ${id} that are proven`} done={index?.proven ?? null} of={index?.indexed ?? null} />
      </Cell>
      <Cell label="Reorgs" className="num" data-reorgs={index?.reorgs}>
        {index === undefined ? "–" : groupDigits(index.reorgs)}
      </Cell>
      <Cell label="Last error" className="wrap">
        {unproven === null ? null : `${unproven} `}
        {problem === null && unproven === null ? <span className="quiet">none</span> : problem}
        {problem === null || lastErrorAt === null ? null : (
          <>
            {" "}
            <span className="quiet">
              <Ago millis={lastErrorAt} now={now} />
            </span>
          </>
        )}
      </Cell>
    </Row>
  )
}

/** Each source, and how far its index and the proof of it are. */
export const Sources = ({ status: { indexes, now, sources } }: { readonly status: Status }) => (
  <Card title="Sources">
    <Table
      label="Table of sources"
      isBroad
      head={
        <>
          <Head>Source</Head>
          <Head className="text">State</Head>
          <Head>Last success</Head>
          <Head>Head</Head>
          <Head>Indexed</Head>
          <Head>Proven</Head>
          <Head>Reorgs</Head>
          <Head className="text">Last error</Head>
        </>
      }
    >
      {sources.map((source) => (
        <SourceRow
          key={`${source.kind} ${source.id}`}
          source={source}
          index={indexes.find(({ key }) => source.kind === "dex" && key === source.id)}
          now={now}
        />
      ))}
    </Table>
  </Card>
)
