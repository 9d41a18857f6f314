import type { Answer, Deployment as Factory, Pool, Token } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/dex"
import { Dex } from "@chaintape/dex"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Claim, Values } from "../../proof/Claim.ts"
import { toClaim } from "../../proof/Claim.ts"
import type { Packages } from "../../service/Session.tsx"
import { toShownRequest } from "../../service/ShownRequests.ts"
import type { Moment } from "../moment/Deployment.ts"
import { at } from "../moment/Deployment.ts"
import { toSymbol } from "../name/TokenName.tsx"

/** A response as of a moment. */
export interface ResponseAt {
  readonly moment: Moment
  readonly asOf: Answer<unknown>["asOf"]
}

/** The request of exactly the block of a response: its figures are the same at any later time. */
export const pin = ({ asOf, moment }: ResponseAt) =>
  Option.match(asOf, {
    onNone: () => at(moment),
    onSome: ({ number }) => ({ ...moment.deployment, block: Number(number) })
  })

export const readDex = <A, E>(use: (dex: Dex["Service"]) => Effect.Effect<Answer<A>, E, Packages>) =>
  Effect.flatMap(Dex, use)

export const toSubject = ({ moment: { deployment } }: Pick<ResponseAt, "moment">, name: string) =>
  `${name}${name === "" ? "" : ", "}${deployment.exchange} on ${deployment.blockchain}`

/** Both tokens of a pool, and its fee. */
export const toPair = ({ feeTier, token0, token1 }: Pool) =>
  `Pool ${toSymbol(token0)} / ${toSymbol(token1)}, ${Number(feeTier) / 10_000} %`

/** A figure of a pool. */
export const toPoolClaim = (answer: ResponseAt, shown: Pool, title: string, toValue: (pool: Pool) => string): Claim => {
  const request = { ...pin(answer), pool: shown.id }
  const toValues = (pool: Pool): Values => [[title, toValue(pool)]]
  return toClaim({
    title,
    subject: toSubject(answer, toPair(shown)),
    values: toValues(shown),
    request: toShownRequest(Operations.pool, request),
    read: readDex((dex) => dex.withResponse.pool(request)),
    find: toValues,
    blockchain: answer.moment.deployment.blockchain
  })
}

/** A figure of a token. */
export const toTokenClaim = (
  answer: ResponseAt,
  shown: Token,
  title: string,
  toValue: (token: Token) => string
): Claim => {
  const request = { ...pin(answer), tokenId: shown.id }
  const toValues = (token: Token): Values => [[title, toValue(token)]]
  return toClaim({
    title,
    subject: toSubject(answer, `Token ${toSymbol(shown)}`),
    values: toValues(shown),
    request: toShownRequest(Operations.tokens, request),
    read: readDex((dex) => dex.withResponse.tokens(request)),
    find: ([token]) => (token === undefined ? undefined : toValues(token)),
    blockchain: answer.moment.deployment.blockchain
  })
}

/** A total of a factory. */
export const toTotalClaim = (
  answer: ResponseAt,
  shown: Factory,
  title: string,
  toValue: (factory: Factory) => string
): Claim => {
  const request = pin(answer)
  const toValues = (factory: Factory): Values => [[title, toValue(factory)]]
  return toClaim({
    title,
    subject: toSubject(answer, ""),
    values: toValues(shown),
    request: toShownRequest(Operations.deployments, request),
    read: readDex((dex) => dex.withResponse.deployments(request)),
    find: (factories) => {
      const factory = factories.find(({ id }) => id === shown.id)
      return factory === undefined ? undefined : toValues(factory)
    },
    blockchain: answer.moment.deployment.blockchain
  })
}
