/** Reads a list page by page as of one block, for any kind of element. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Stream from "effect/Stream"
import type { Answer, AsOf } from "../../operation/Answer.ts"
import type { ListError, ListPage } from "../../page/ListPage.ts"
import { UnexpectedResponse } from "../../problem/ClientError.ts"
import type { InvalidParameter } from "../../problem/Problem.ts"
import { BlockReplaced } from "../../problem/StreamError.ts"
import { decodeCursor, encodeCursor } from "./cursor.ts"
import { withPageSizeProblem } from "./pageSize.ts"

export interface PageQuery {
  readonly limit: number
  readonly skip: number
  readonly block?: number | undefined
}

export interface ListSource<A, Item, E, R> {
  readonly operation: string
  /** The request without `pageSize` and `cursor`. */
  readonly request: { readonly block?: number | undefined }
  readonly pageSize: number | undefined
  readonly cursor: string | undefined
  readonly read: (page: PageQuery) => Effect.Effect<Answer<A>, E, R>
  /** The elements of the response; undefined if it lacks the requested ones. */
  readonly items: (value: A) => ReadonlyArray<Item> | undefined
}

type Bound = Pick<AsOf, "number" | "hash">

interface ListPosition {
  readonly skip: number
  /** The block to which the pages are bound, once the first page was read. */
  readonly bound: Option.Option<Bound>
}

const getStart = <A, Item, E, R>({ cursor, operation, request }: ListSource<A, Item, E, R>) =>
  cursor === undefined
    ? Effect.succeed<ListPosition>({ skip: 0, bound: Option.none() })
    : decodeCursor(operation, request, cursor, ({ integer, text }): ListPosition => {
        const skip = integer()
        return { skip, bound: Option.some({ number: BigInt(integer()), hash: text() }) }
      })

const getCursor = (
  { operation, request }: Pick<ListSource<never, never, never, never>, "operation" | "request">,
  { hash, number }: AsOf,
  skip: number
): string =>
  encodeCursor(operation, request, ({ integer, text }) => {
    integer(skip)
    integer(Number(number))
    text(hash)
  })

export const toIncompleteResponse = (operation: string, what: string) =>
  new UnexpectedResponse({ operation, attempts: 1, status: 200, detail: `an answer without ${what}` })

/** The defect of a response without a block. */
export const missingBlock = "the header Chaintape-As-Of, which binds its pages to one block"

/** A subgraph states no hash of a block by its number: it is empty. */
const areDifferent = (one: string, other: string): boolean => one !== "" && other !== "" && one !== other

const toReplaced = (operation: string, { hash, number: block }: Bound, replacedBy: string) =>
  new BlockReplaced({ operation, block, hash, replacedBy })

/** The block of the response, which must equal that of earlier pages. */
const checkBlock = Effect.fnUntraced(function* (
  operation: string,
  bound: ListPosition["bound"],
  asOf: Option.Option<AsOf>
): Effect.fn.Return<AsOf, UnexpectedResponse | BlockReplaced> {
  if (Option.isNone(asOf)) {
    return yield* toIncompleteResponse(operation, missingBlock)
  }
  if (Option.isSome(bound) && areDifferent(bound.value.hash, asOf.value.hash)) {
    return yield* toReplaced(operation, bound.value, asOf.value.hash)
  }
  return asOf.value
})

/** The list of a request that was checked. */
export const listReading = <Checked, A, Item, Shown, E, R>(
  checked: Effect.Effect<Checked, InvalidParameter>,
  getList: (request: Checked) => ListSource<A, Item, E, R>,
  shape: (page: ListPage<Item>) => ReadonlyArray<Shown>
): Stream.Stream<Shown, E | ListError, R> =>
  Stream.unwrap(Effect.map(checked, (request) => readList(getList(request), shape)))

const readList = <A, Item, Shown, E, R>(
  list: ListSource<A, Item, E, R>,
  shape: (page: ListPage<Item>) => ReadonlyArray<Shown>
): Stream.Stream<Shown, E | ListError, R> => {
  const { operation, pageSize: limit = 1000, request } = list

  const readNext = Effect.fnUntraced(function* ({ bound, skip }: ListPosition) {
    const block = Option.match(bound, { onNone: () => request.block, onSome: ({ number }) => Number(number) })
    const answer = yield* Effect.mapError(withPageSizeProblem(list.read({ limit, skip, block })), (error) =>
      // During a reorg the new branch may be shorter than the old one was.
      Option.isSome(bound) && Predicate.isTagged(error, "BlockNotFound")
        ? toReplaced(operation, bound.value, "")
        : error
    )
    const items = list.items(answer.value)
    // Before the first block of a deployment there is nothing, as of no block.
    if (items?.length === 0 && Option.isNone(answer.asOf) && Option.isNone(bound)) return [[], Option.none()] as const
    const asOf = yield* checkBlock(operation, bound, answer.asOf)
    if (items === undefined) return yield* toIncompleteResponse(operation, "the trades that it was asked for")
    const next: ListPosition = {
      skip: skip + items.length,
      bound: asOf.hash === "" ? Option.orElse(bound, () => Option.some(asOf)) : Option.some(asOf)
    }
    const page = {
      items,
      asOf,
      get cursor() {
        return getCursor(list, asOf, next.skip)
      }
    }
    return [shape(page), items.length < limit ? Option.none<ListPosition>() : Option.some(next)] as const
  })

  return Stream.unwrap(Effect.map(getStart(list), (position: ListPosition) => Stream.paginate(position, readNext)))
}
