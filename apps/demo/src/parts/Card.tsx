import type { ReactNode } from "react"
import { useId } from "react"
import "./card.css"

/** A part of a view with its heading. */
export const Card = ({
  aside,
  children,
  className,
  title
}: {
  readonly title: string
  readonly aside?: ReactNode
  readonly className?: string
  readonly children: ReactNode
}) => {
  const id = useId()
  return (
    <section className={`card ${className ?? ""}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
