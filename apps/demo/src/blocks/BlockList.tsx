import * as DateTime from "effect/DateTime"
import { groupDigits } from "../parts/Count.ts"
import { Figure } from "../parts/Figure.tsx"
import { Ago } from "../parts/time/Ago.tsx"
import { Time } from "../parts/time/Time.tsx"
import { useNow } from "../parts/time/useNow.ts"
import { Proven } from "../proof/Proven.tsx"
import { useFocusPause } from "../proof/useFocusPause.ts"
import { blockHref } from "../Route.ts"
import { toBlockClaim } from "./BlockClaims.ts"
import type { Chain } from "./Chain.ts"
import { gasShare } from "./GasShare.ts"
import "./block-list.css"

const rows = 24

/** The newest blocks, newest first; those of the newest branch are marked. */
export const BlockList = ({ blockchain, chain }: { readonly blockchain: string; readonly chain: Chain }) => {
  const { items, props } = useFocusPause(chain.blocks.slice(0, rows))
  const now = useNow()
  const fresh = new Set(chain.reorgs[0]?.instead.map(({ number }) => number))
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Blocks, newest first" {...props}>
      <table>
        <thead>
          <tr>
            <th scope="col">Number</th>
            <th scope="col">Time</th>
            <th scope="col">Age</th>
            <th scope="col">Gas used</th>
            <th scope="col">% of gas limit</th>
            <th scope="col">Size</th>
            <th scope="col">Author</th>
          </tr>
        </thead>
        <tbody>
          {items.map((block, index) => (
            <tr key={index} className={fresh.has(block.number) ? "new" : undefined}>
              <td className="num">
                <a href={blockHref(blockchain, block.number)}>{groupDigits(block.number)}</a>
              </td>
              <td>
                <Time millis={DateTime.toEpochMillis(block.timestamp)} />
              </td>
              <td className="age num">
                {now === undefined ? "…" : <Ago millis={DateTime.toEpochMillis(block.timestamp)} now={now} />}
              </td>
              <td>
                <Proven of="this block" claim={() => toBlockClaim(blockchain, block)}>
                  <Figure value={block.gasUsed} as="grouped" />
                </Proven>
              </td>
              <td className="num">{gasShare(block)}</td>
              <td>
                <Figure value={block.size} as="grouped" />
              </td>
              <td>
                <code title={block.author}>{`${block.author.slice(0, 6)}…${block.author.slice(-4)}`}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
