import { TokenNotFound } from "@chaintape/core"
import { Effect } from "effect"
import type { TokenQuery } from "../DexQueries.ts"
import type { DexView } from "../DexSource.ts"
import { toViewError } from "../ViewError.ts"

/** A list of tokens; with `logo` each has one, which is empty if none is known. */
export const listTokens = Effect.fn("Tokens.list")(function* (view: DexView, query: TokenQuery, logo: boolean) {
  const rows = yield* Effect.mapError(view.tokens(query), toViewError)
  return logo ? rows.map((row) => ({ ...row, logo: "" })) : rows
})

/** Fails unless the token exists at the view's block. */
export const requireToken = Effect.fn("Tokens.require")(function* (view: DexView, token: string) {
  if (yield* Effect.mapError(view.hasToken(token), toViewError)) return
  return yield* new TokenNotFound({
    token,
    detail: `No pool held the token "${token}" as of block ${view.asOf.number}.`
  })
})
