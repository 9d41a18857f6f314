/**
 * The factory behind every problem class. It is internal because the type of a generated class cannot be expressed
 * without a cast: the members that all problems share are merged with the members of one kind.
 */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

interface SharedFields<Code extends string, Status extends number> {
  readonly type: Schema.withConstructorDefault<Schema.Literal<`/problems/${Code}`>>
  readonly title: Schema.withConstructorDefault<Schema.String>
  readonly status: Schema.withConstructorDefault<Schema.Literal<Status>>
  readonly code: Schema.withConstructorDefault<Schema.Literal<Code>>
  readonly detail: Schema.String
  readonly requestId: Schema.optionalKey<Schema.String>
}

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
  readonly code: Code
  readonly status: Status
  readonly title: string
}

const always = <S extends Schema.Top & Schema.WithoutConstructorDefault>(schema: S, value: S["~type.make.in"]) =>
  schema.pipe(Schema.withConstructorDefault(Effect.succeed(value)))

export const problemClass =
  <Self>() =>
  <
    const Tag extends string,
    const Code extends string,
    const Status extends number,
    const Fields extends Schema.Struct.Fields = {}
  >(
    tag: Tag,
    kind: { readonly code: Code; readonly status: Status; readonly title: string; readonly retryable?: boolean },
    fields?: Fields
  ): ProblemClass<Self, Tag, Code, Status, Fields> => {
    const created = Schema.Error<Self>(tag)(
      {
        type: always(Schema.Literal(`/problems/${kind.code}`), `/problems/${kind.code}`),
        title: always(Schema.String, kind.title),
        status: always(Schema.Literal(kind.status), kind.status),
        detail: Schema.String,
        code: always(Schema.Literal(kind.code), kind.code),
        requestId: Schema.optionalKey(Schema.String),
        ...fields
      },
      { description: kind.title, httpApiStatus: kind.status }
    )
    const Base = created as unknown as { readonly prototype: object }
    Object.defineProperties(Base.prototype, {
      _tag: { value: tag, enumerable: false },
      isRetryable: { value: kind.retryable ?? false, enumerable: false },
      message: {
        get(this: { readonly detail: string }) {
          return this.detail
        },
        configurable: true
      }
    })
    // `code`, `status` and `title` are what the factory was given, so that a registry can be built without an instance.
    return Object.assign(Base, { code: kind.code, status: kind.status, title: kind.title }) as unknown as ProblemClass<
      Self,
      Tag,
      Code,
      Status,
      Fields
    >
  }
