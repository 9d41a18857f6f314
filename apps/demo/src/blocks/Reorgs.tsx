import type { Block } from "@chaintape/core"
import { formatCount, groupDigits } from "../format/Count.ts"
import { Card } from "../parts/Card.tsx"
import { Time } from "../parts/time/Time.tsx"
import type { Reorg } from "./Chain.ts"
import "./reorgs.css"

const shownBlocks = 8

const Chain = ({ blocks, isCut = false }: { readonly blocks: ReadonlyArray<Block>; readonly isCut?: boolean }) => (
  <div className={`chain num${isCut ? " cut" : ""}`}>
    {blocks.slice(0, shownBlocks).map((block) => (
      <span
        key={String(block.number)}
        title={`${groupDigits(block.gasUsed)} gas, ${groupDigits(block.size)} bytes, by ${block.author}`}
      >
        {groupDigits(block.number)}
      </span>
    ))}
    {blocks.length > shownBlocks ? <span>and {groupDigits(blocks.length - shownBlocks)} more</span> : null}
  </div>
)

const sentence = ({ cut, instead }: Reorg) => {
  const [was, place] = cut.length === 1 ? ["was", "its place"] : ["were", "their place"]
  const stand = instead.length === 1 ? "stands" : "stand"
  return `${formatCount(cut.length, "block")} ${was} cut from the chain; ${groupDigits(instead.length)} ${stand} in ${place}. `
}

/** Each branch that the chain has left since the page was opened. */
export const Reorgs = ({ reorgs }: { readonly reorgs: ReadonlyArray<Reorg> }) =>
  reorgs.length === 0 ? null : (
    <Card title="Reorgs">
      <ul className="branches">
        {reorgs.map((reorg) => (
          <li key={reorg.seenAt} data-reorg={reorg.cut.length}>
            {sentence(reorg)}
            <span className="quiet">
              Seen at <Time millis={reorg.seenAt} />.
            </span>
            <div className="branch">
              <span>cut</span>
              <Chain blocks={reorg.cut} isCut />
              <span>now</span>
              <Chain blocks={reorg.instead} />
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
