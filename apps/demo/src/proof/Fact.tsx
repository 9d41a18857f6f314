import type { ReactNode } from "react"

/** A line of a proof. */
export const Fact = ({ children, name }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
