/**
 * The factory of all problem classes. Internal because the type of a generated class cannot be expressed without a
 * cast: the members shared by all problems are merged with those of one kind.
 */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isChaintapeError } from "./errorMark.ts"

interface SharedFields<Code extends string, Status extends number> {
  /** Where the service explains this kind of problem, relative to its address. */
  readonly type: Schema.withConstructorDefault<Schema.Literal<`/problems/${Code}`>>
  /** The kind of problem in a few words. */
  readonly title: Schema.withConstructorDefault<Schema.String>
  /** The HTTP status. */
  readonly status: Schema.withConstructorDefault<Schema.Literal<Status>>
  /** Identifies the kind of problem, such as `no-data`. */
  readonly code: Schema.withConstructorDefault<Schema.Literal<Code>>
  /** Describes the cause and the remedy, with the values of this request; also the `message`. */
  readonly detail: Schema.String
  /** Identifies the request in the service's log. */
  readonly requestId: Schema.optionalKey<Schema.String>
}

/**
 * A class of problems: a schema of its instances, with the static members of all of them. `code`, `status` and `title`
 * are known without an instance.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { RateLimited } from "@chaintape/core"
 * import type { Operation } from "@chaintape/core/operations"
 *
 * const kind: Pick<Operation.ProblemClass<RateLimited, "RateLimited", "rate-limited", 429, {}>, "code" | "status"> = RateLimited
 * assert.deepEqual([kind.code, kind.status], ["rate-limited", 429])
 * ```
 */
export interface ProblemClass<
  Self,
  Tag extends string,
  Code extends string,
  Status extends number,
  Fields extends Schema.Struct.Fields
> extends Schema.Class<
  Self,
  Schema.Struct<SharedFields<Code, Status> & Fields>,
  Cause.YieldableError & { readonly _tag: Tag; readonly isRetryable: boolean }
> {
  /** Identifies the kind of problem, such as `no-data`. */
  readonly code: Code
  /** The HTTP status. */
  readonly status: Status
  /** The same for every problem of the kind. */
  readonly title: string
}

type Tail<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? "" : "-"}${Lowercase<First>}${Tail<Rest>}`
  : ""

/** The code of a problem is its tag in kebab case. */
type CodeOf<Tag extends string> = Tag extends `${infer First}${infer Rest}` ? `${Lowercase<First>}${Tail<Rest>}` : ""

const toCode = <Tag extends string>(tag: Tag): CodeOf<Tag> =>
  tag.replace(/\B[A-Z]/g, "-$&").toLowerCase() as CodeOf<Tag>

/** The title of a problem is its code in words, unless it has its own. */
const inWords = (code: string) => code.charAt(0).toUpperCase() + code.slice(1).replaceAll("-", " ")

const always = <S extends Schema.Top & Schema.WithoutConstructorDefault>(schema: S, value: S["~type.make.in"]) =>
  schema.pipe(Schema.withConstructorDefault(Effect.succeed(value)))

/**
 * Declares the class of a problem: `code`, `type` and `title` follow from the tag.
 *
 * @since 0.1.0
 * @category constructors
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { Operation } from "@chaintape/core/operations"
 *
 * class Closed extends Operation.problemClass<Closed>()("Closed", { status: 503, retryable: true }) {}
 *
 * assert.equal(new Closed({ detail: "Closed until Monday." }).type, "/problems/closed")
 * ```
 */
export const problemClass =
  <Self>() =>
  <const Tag extends string, const Status extends number, const Fields extends Schema.Struct.Fields = {}>(
    tag: Tag,
    kind: { readonly status: Status; readonly title?: string; readonly retryable?: boolean },
    fields?: Fields
  ): ProblemClass<Self, Tag, CodeOf<Tag>, Status, Fields> => {
    const code = toCode(tag)
    const { retryable = false, status, title = inWords(code) } = kind
    const type = `/problems/${code}` as const
    const created = Schema.Error<Self>(tag)(
      {
        type: always(Schema.Literal(type), type),
        title: always(Schema.String, title),
        status: always(Schema.Literal(status), status),
        detail: Schema.String,
        code: always(Schema.Literal(code), code),
        requestId: Schema.optionalKey(Schema.String),
        ...fields
      },
      { description: title, httpApiStatus: status }
    )
    const Base = created as unknown as { readonly prototype: object }
    Object.defineProperties(Base.prototype, {
      _tag: { value: tag },
      isRetryable: { value: retryable },
      [isChaintapeError]: { value: true },
      message: {
        get(this: { readonly detail: string }) {
          return this.detail
        },
        configurable: true
      }
    })
    // So that a registry can be built without an instance.
    return Object.assign(Base, { code, status, title }) as unknown as ProblemClass<
      Self,
      Tag,
      CodeOf<Tag>,
      Status,
      Fields
    >
  }
