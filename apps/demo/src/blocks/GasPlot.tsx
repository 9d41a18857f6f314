import type { Block } from "@chaintape/core"
import { groupDigits } from "../format/Count.ts"
import type { Chain } from "./Chain.ts"

const width = 960
const height = 140

const findCut = ({ reorgs }: Chain): ReadonlyMap<bigint, Block> =>
  new Map(reorgs.toReversed().flatMap(({ cut }) => cut.map((block) => [block.number, block] as const)))

const getText = (block: Block) =>
  `Block ${groupDigits(block.number)}: ${groupDigits(block.gasUsed)} of ${groupDigits(block.gasLimit)} gas`

/** A bar for each block, oldest left; a replaced block remains as an outline in its place. */
export const GasPlot = ({ chain }: { readonly chain: Chain }) => {
  const blocks = chain.blocks.toReversed()
  const cut = findCut(chain)
  const fresh = new Set(chain.reorgs[0]?.instead.map(({ number }) => number))
  const max = Math.max(
    1,
    ...blocks.map(({ gasUsed }) => Number(gasUsed)),
    ...[...cut.values()].map(({ gasUsed }) => Number(gasUsed))
  )
  const step = width / Math.max(blocks.length, 1)
  const tall = ({ gasUsed }: Block) => Math.max(1, (Number(gasUsed) / max) * (height - 4))
  return (
    <svg
      className="bars"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Gas used by the newest ${blocks.length} blocks`}
    >
      <line x1={0} x2={width} y1={height} y2={height} />
      {blocks.map((block, index) => {
        const lost = cut.get(block.number)
        return (
          <g key={String(block.number)}>
            <rect
              className={fresh.has(block.number) ? "fresh" : undefined}
              x={index * step + 1}
              y={height - tall(block)}
              width={Math.max(1, step - 3)}
              height={tall(block)}
            >
              <title>{getText(block)}</title>
            </rect>
            {lost === undefined ? null : (
              <rect
                className="cut"
                x={index * step + 1}
                y={height - tall(lost)}
                width={Math.max(1, step - 3)}
                height={tall(lost)}
              >
                <title>{`Cut by a reorg. ${getText(lost)}`}</title>
              </rect>
            )}
          </g>
        )
      })}
    </svg>
  )
}
