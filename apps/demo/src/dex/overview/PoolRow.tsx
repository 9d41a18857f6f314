import type { Pool } from "@chaintape/core"
import { Figure } from "../../parts/Figure.tsx"
import { Cell, Row } from "../../parts/table/Table.tsx"
import { Proven } from "../../proof/Proven.tsx"
import { dexHref } from "../../route/Route.ts"
import type { ResponseAt } from "../claims/DexClaims.ts"
import { toPoolClaim } from "../claims/DexClaims.ts"
import type { Moment } from "../moment/Deployment.ts"
import { toName } from "../moment/Deployment.ts"
import { PairName } from "../name/PairName.tsx"

/** The figures of a pool in a list. */
export const poolColumns = [
  ["totalValueLockedUSD", "TVL"],
  ["volumeUSD", "Volume"],
  ["feesUSD", "Fees"],
  ["txCount", "Events"]
] as const satisfies ReadonlyArray<readonly [keyof Pool, string]>

type Field = (typeof poolColumns)[number][0]

const toShape = (field: Field) => (field === "txCount" ? "grouped" : "dollars")

/** A pool in a list, with a link to its page as of the same block. */
export const PoolRow = ({
  answer,
  moment,
  pool
}: {
  readonly answer: ResponseAt
  readonly pool: Pool
  /** The moment of the page, which a row that is being read again does not have yet. */
  readonly moment: Moment
}) => (
  <Row data-pool={pool.id}>
    <Cell label="Pool">
      <a href={dexHref(toName(moment.deployment), pool.id, moment.block)}>
        <PairName pool={pool} />
      </a>
    </Cell>
    {poolColumns.map(([field, title]) => (
      <Cell key={field} label={title} data-field={field}>
        <Proven of={title} claim={() => toPoolClaim(answer, pool, title, (one) => one[field])}>
          <Figure value={pool[field]} as={toShape(field)} />
        </Proven>
      </Cell>
    ))}
  </Row>
)
