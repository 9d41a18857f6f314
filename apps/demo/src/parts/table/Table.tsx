import type { ComponentProps, ReactNode } from "react"
import "./table.css"

/**
 * A table with a name, which a screen that is too narrow scrolls. On a phone each row is stacked: its roles then still make
 * it a table for screen readers.
 */
export const Table = ({
  children,
  head,
  isBroad = false,
  isSorted = false,
  label,
  ...region
}: Omit<ComponentProps<"div">, "children"> & {
  readonly label: string
  /** The headings, in one row. */
  readonly head: ReactNode
  /** Whether a heading sorts the table: it then stays on a phone. */
  readonly isSorted?: boolean
  /** Whether its cells are so broad that two of them stand side by side on a phone, instead of three. */
  readonly isBroad?: boolean
  /** The rows. */
  readonly children: ReactNode
}) => (
  <div className="scroll" tabIndex={0} role="region" aria-label={label} {...region}>
    <table className={`stacked ${isSorted ? "sorted" : ""} ${isBroad ? "broad" : ""}`} role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">{head}</tr>
      </thead>
      <tbody role="rowgroup">{children}</tbody>
    </table>
  </div>
)

/** A heading. */
export const Head = (props: ComponentProps<"th">) => <th scope="col" role="columnheader" {...props} />

export const Row = (props: ComponentProps<"tr">) => <tr role="row" {...props} />

/** A cell. On a phone, its label is shown above it. */
export const Cell = ({ label, ...props }: ComponentProps<"td"> & { readonly label: string }) => (
  <td role="cell" data-label={label} {...props} />
)
