import { TokenName, toSymbol, toTitle } from "./TokenName.tsx"
import "./token.css"

const hues = 360

/** A token has the same color everywhere. */
const toHue = (address: string) => Number.parseInt(address.slice(2, 8), 16) % hues

/** The content security policy allows only the service itself. */
const isOwn = (logo: string) => logo.startsWith("data:image/") || logo.startsWith(`${window.location.origin}/`)

/** A token with its logo, or with its initials if none is known. */
export const Token = ({
  token
}: {
  readonly token: { readonly id: string; readonly symbol: string; readonly name: string; readonly logo?: string }
}) => (
  <span className="token" title={toTitle(token)}>
    {token.logo !== undefined && isOwn(token.logo) ? (
      <img src={token.logo} alt="" />
    ) : (
      <span className="mark" aria-hidden="true" style={{ background: `hsl(${toHue(token.id)} 45% 38%)` }}>
        {Array.from(toSymbol(token))[0]}
      </span>
    )}
    <TokenName token={token} />
  </span>
)
