import "./sorted.css"

/** The sort order of a table, which the service applies. */
export interface Order<Field extends string> {
  readonly by: Field
  readonly direction: "asc" | "desc"
}

/** The heading of a sortable column. */
export const Sorted = <Field extends string>({
  field,
  onOrder,
  order,
  title
}: {
  readonly field: Field
  readonly title: string
  readonly order: Order<Field>
  readonly onOrder: (order: Order<Field>) => void
}) => {
  const isBy = order.by === field
  return (
    <th
      scope="col"
      role="columnheader"
      aria-sort={isBy ? (order.direction === "asc" ? "ascending" : "descending") : "none"}
    >
      <button
        type="button"
        onClick={() => onOrder({ by: field, direction: isBy && order.direction === "desc" ? "asc" : "desc" })}
      >
        {title}
      </button>
    </th>
  )
}
