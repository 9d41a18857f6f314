/** For a name in the address that this service does not have: the pages of those that it has. */
export const NoSuch = ({
  kind,
  links,
  name
}: {
  /** Such as blockchain. */
  readonly kind: string
  readonly name: string
  readonly links: ReadonlyArray<{ readonly href: string; readonly text: string }>
}) => (
  <div className="stack">
    <h1>
      There is no {kind} “{name}”
    </h1>
    <p>The link may be cut off, or belong to another service. This one reads:</p>
    <ul>
      {links.map(({ href, text }) => (
        <li key={href}>
          <a href={href}>{text}</a>
        </li>
      ))}
    </ul>
  </div>
)
