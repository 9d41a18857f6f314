import type { TokenAddress } from "@chaintape/core"
import { tokenHref } from "../../route/Route.ts"
import type { Moment } from "../moment/Deployment.ts"
import { toName } from "../moment/Deployment.ts"
import type { NamedToken } from "./TokenName.tsx"
import { TokenName } from "./TokenName.tsx"
import "./token-link.css"

/** The symbol of a token, which leads to its page as of the same block. */
export const TokenLink = ({
  moment,
  token
}: {
  readonly moment: Moment
  readonly token: NamedToken & { readonly id: TokenAddress }
}) => (
  <a className="token-link" href={tokenHref(toName(moment.deployment), token.id, moment.block)}>
    <TokenName token={token} />
  </a>
)
