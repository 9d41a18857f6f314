import * as DateTime from "effect/DateTime"
import { groupDigits } from "../format/Count.ts"
import { toShortAddress } from "../format/ShortAddress.ts"
import { Figure } from "../parts/Figure.tsx"
import { Cell, Head, Row, Table } from "../parts/table/Table.tsx"
import { Ago } from "../parts/time/Ago.tsx"
import { Time } from "../parts/time/Time.tsx"
import { useNow } from "../parts/time/useNow.ts"
import { Proven } from "../proof/Proven.tsx"
import { useFocusPause } from "../proof/useFocusPause.ts"
import { blockHref } from "../route/Route.ts"
import { toBlockClaim } from "./BlockClaims.ts"
import type { Chain } from "./Chain.ts"
import { getPause } from "./Chain.ts"
import { gasShare } from "./GasShare.ts"
import "./block-list.css"

const rows = 24

const formatPause = (millis: number | undefined): string =>
  millis === undefined ? "–" : `${groupDigits(millis / 1000)} s`

const columns = [
  "Number",
  "Time",
  "Age",
  "Since previous",
  "Gas used",
  "% of gas limit",
  "Size, bytes",
  "Author"
] as const

/** The newest blocks, newest first; those of the newest branch are marked. */
export const BlockList = ({ blockchain, chain }: { readonly blockchain: string; readonly chain: Chain }) => {
  const { items, props } = useFocusPause(chain.blocks.slice(0, rows + 1))
  const now = useNow()
  const fresh = new Set(chain.reorgs[0]?.instead.map(({ number }) => number))
  return (
    <Table
      label="Blocks, newest first"
      head={columns.map((title) => (
        <Head key={title}>{title}</Head>
      ))}
      {...props}
    >
      {items.slice(0, rows).map((block, index) => (
        <Row key={index} className={fresh.has(block.number) ? "new" : undefined}>
          <Cell label="Number" className="num">
            <a href={blockHref(blockchain, block.number)}>{groupDigits(block.number)}</a>
          </Cell>
          <Cell label="Time">
            <Time millis={DateTime.toEpochMillis(block.timestamp)} />
          </Cell>
          <Cell label="Age" className="age num">
            {now === undefined ? "…" : <Ago millis={DateTime.toEpochMillis(block.timestamp)} now={now} />}
          </Cell>
          <Cell label="Since previous" className="num">
            {formatPause(getPause(block, items[index + 1]))}
          </Cell>
          <Cell label="Gas used">
            <Proven of="this block" claim={() => toBlockClaim(blockchain, block)}>
              <Figure value={block.gasUsed} as="grouped" />
            </Proven>
          </Cell>
          <Cell label="% of gas limit" className="num">
            {gasShare(block)}
          </Cell>
          <Cell label="Size, bytes">
            <Figure value={block.size} as="grouped" />
          </Cell>
          <Cell label="Author">
            <code title={block.author}>{toShortAddress(block.author)}</code>
          </Cell>
        </Row>
      ))}
    </Table>
  )
}
