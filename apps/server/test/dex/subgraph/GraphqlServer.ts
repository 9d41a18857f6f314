import { Effect } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import type { Field } from "./GraphqlDocument.ts"
import { parseQuery } from "./GraphqlDocument.ts"
import type { EntityVersion } from "./SubgraphData.ts"
import { collectionOf, uniswapV3 } from "./SubgraphTypes.ts"
import type { EntityFields, EntityName, SchemaTypes } from "./SubgraphTypes.ts"

type Fields = { readonly [name: string]: string | null }

export interface SubgraphOptions {
  readonly entities: ReadonlyArray<EntityVersion>
  /** Those of Uniswap V3 if absent. */
  readonly types?: SchemaTypes
  readonly head: { readonly number: number; readonly hash: string }
  readonly first?: number
  /** Fields that the schema lacks, such as `Pool.tick`. */
  readonly lacks?: ReadonlyArray<string>
  /** The order of ties if the order is descending: newer servers reverse the ids too. */
  readonly ties?: "reversed" | "ascending"
  /** Whether `_meta` returns the hash of a block that was requested by number. */
  readonly getHash?: (block: number) => string | null
  readonly hasIndexingErrors?: boolean
  readonly deployment?: string
  /** How a number is encoded. */
  readonly spell?: (number: string) => string
}

export interface Call {
  readonly headers: { readonly [name: string]: string | undefined }
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly body: string
  readonly headers?: { readonly [name: string]: string }
}

class QueryError extends Error {}

const scale = 60
const getNumber = (text: string): bigint => {
  const [whole = "", fraction = ""] = text.replace("-", "").split(".")
  const size = BigInt(whole + fraction.padEnd(scale, "0"))
  return text.startsWith("-") ? -size : size
}

const objectOf = (value: unknown): { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null ? { ...value } : {}

/** A subgraph server: the responses of graph-node to the queries of a client of its schema. */
export const makeSubgraph = (options: SubgraphOptions) => {
  const lacks = new Set(options.lacks)
  const spell = options.spell ?? ((number: string) => number)
  const types = options.types ?? uniswapV3
  const fieldsOf = (entity: EntityName): EntityFields => types[entity] ?? {}
  const hasField = (entity: EntityName, field: string) =>
    Object.hasOwn(fieldsOf(entity), field) && !lacks.has(`${entity}.${field}`)
  const states = new Map<number, Map<EntityName, Map<string, Fields>>>()

  const stateAt = (block: number) => {
    const known = states.get(block)
    if (known !== undefined) return known
    const state = new Map<EntityName, Map<string, Fields>>()
    for (const version of options.entities) {
      if (version.block > block) continue
      const rows = state.get(version.entity) ?? new Map<string, Fields>()
      state.set(version.entity, rows.set(version.id, version.fields))
    }
    if (states.size > 4) states.clear()
    states.set(block, state)
    return state
  }

  const toBlock = (value: unknown): number => {
    if (value === undefined) return options.head.number
    const { number } = objectOf(value)
    if (typeof number !== "number") throw new QueryError("Invalid value provided for argument `block`")
    const start = "Failed to decode `block.number` value: `subgraph QmServer "
    if (number > options.head.number) {
      throw new QueryError(
        `${start}has only indexed up to block number ${options.head.number} and data for block number ${number} ` +
          "is therefore not yet available`"
      )
    }
    const first = options.first ?? 0
    if (number < first) {
      throw new QueryError(
        `${start}only has data starting at block number ${first} and data for block number ${number} ` +
          "is therefore not available`"
      )
    }
    return number
  }

  const compare = (entity: EntityName, field: string, a: string | null, b: string | null): number => {
    // As in the database: null is greater than any value.
    if (a === null || b === null) return Number(a === null) - Number(b === null)
    if (fieldsOf(entity)[field] !== "number") return Buffer.compare(Buffer.from(a), Buffer.from(b))
    const difference = getNumber(a) - getNumber(b)
    return difference < 0n ? -1 : difference > 0n ? 1 : 0
  }

  const operators: { readonly [name: string]: (order: number) => boolean } = {
    gt: (order) => order > 0,
    gte: (order) => order >= 0,
    lt: (order) => order < 0,
    lte: (order) => order <= 0
  }

  const matcher = (entity: EntityName, filter: string, wanted: unknown, block: number): ((row: Fields) => boolean) => {
    const [, field = "", operator = ""] = /^([A-Za-z0-9]+)(?:_([a-z_]*))?$/.exec(filter) ?? []
    if (!hasField(entity, field) || lacks.has(`${entity}_filter.${filter}`)) {
      throw new QueryError(`Invalid value provided for argument \`where\`: no filter ${filter}`)
    }
    const kind = fieldsOf(entity)[field]
    if (filter === `${field}_` && typeof kind === "object" && "of" in kind) {
      const inner = matchers(kind.of, wanted, block)
      return (row) => inner(find(kind.of, row[field] ?? "", block) ?? {})
    }
    const text = typeof wanted === "string" ? wanted : null
    const of = (row: Fields) => row[field] ?? null
    if (operator === "in") return (row) => Array.isArray(wanted) && wanted.includes(of(row))
    if (operator === "not") return (row) => of(row) !== text
    if (operator === "contains_nocase") {
      const asciiLower = (value: string) => value.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
      return (row) => asciiLower(of(row) ?? "").includes(asciiLower(text ?? ""))
    }
    if (operator === "") return (row) => compare(entity, field, of(row), text) === 0
    const holds = operators[operator]
    if (holds === undefined) throw new QueryError(`Invalid value provided for argument \`where\`: no filter ${filter}`)
    return (row) => of(row) !== null && holds(compare(entity, field, of(row), text))
  }

  const matchers = (entity: EntityName, where: unknown, block: number): ((row: Fields) => boolean) => {
    const all = Object.entries(objectOf(where)).map(([filter, wanted]) => matcher(entity, filter, wanted, block))
    return (row) => all.every((matches) => matches(row))
  }

  const find = (entity: EntityName, id: string, block: number) => stateAt(block).get(entity)?.get(id)

  const pick = (entity: EntityName, row: Fields, selection: ReadonlyArray<Field>, block: number): unknown =>
    Object.fromEntries(
      selection.map(({ alias, arguments: args, name, selection }) => {
        if (!hasField(entity, name)) throw new QueryError(`Type \`${entity}\` has no field \`${name}\``)
        const kind = fieldsOf(entity)[name]
        const value = row[name] ?? null
        if (typeof kind === "object" && "by" in kind) {
          const listed = [...(stateAt(block).get(kind.listOf)?.values() ?? [])].filter(
            (of) => of[kind.by] === row["id"]
          )
          return [
            alias,
            listed.slice(0, Number(args["first"] ?? 100)).map((of) => pick(kind.listOf, of, selection, block))
          ]
        }
        if (typeof kind === "object") {
          const referred = find(kind.of, value ?? "", block)
          if (referred === undefined) throw new QueryError("Null value resolved for non-null field")
          return [alias, pick(kind.of, referred, selection, block)]
        }
        return [alias, kind === "number" && value !== null ? spell(value) : value]
      })
    )

  const collection = ({ arguments: args, name, selection }: Field): unknown => {
    const entity = collectionOf[name]
    if (entity === undefined) throw new QueryError(`Type \`Query\` has no field \`${name}\``)
    const block = toBlock(args["block"])
    const { first = 100, orderBy = "id", orderDirection = "asc", skip = 0 } = args
    if (typeof first !== "number" || first < 1 || first > 1000) {
      throw new QueryError(`The value of the \`first\` argument must be between 1 and 1000, but is ${String(first)}`)
    }
    if (typeof skip !== "number" || skip < 0 || skip > 5000) {
      throw new QueryError(`The value of the \`skip\` argument must be between 0 and 5000, but is ${String(skip)}`)
    }
    const field = String(orderBy)
    if (!hasField(entity, field)) throw new QueryError(`Invalid value provided for argument \`orderBy\`: ${field}`)
    const sign = orderDirection === "desc" ? -1 : 1
    const tieSign = options.ties === "ascending" ? 1 : sign
    const matches = matchers(entity, args["where"], block)
    const rows = [...(stateAt(block).get(entity)?.values() ?? [])].filter(matches)
    rows.sort(
      (a, b) =>
        sign * compare(entity, field, a[field] ?? null, b[field] ?? null) ||
        tieSign * compare(entity, "id", a["id"] ?? "", b["id"] ?? "")
    )
    return rows.slice(skip, skip + first).map((row) => pick(entity, row, selection, block))
  }

  const meta = (value: unknown) => {
    const number = toBlock(value)
    const hash = value === undefined ? options.head.hash : (options.getHash?.(number) ?? null)
    const { deployment = "QmFirst", hasIndexingErrors = false } = options
    return { block: { number, hash, timestamp: 0 }, deployment, hasIndexingErrors }
  }

  const typeOf = (name: unknown) => {
    if (name === "Token_filter") {
      const filters = ["symbol_contains_nocase", "name_contains_nocase"]
      return { inputFields: filters.filter((filter) => !lacks.has(`Token_filter.${filter}`)).map((name) => ({ name })) }
    }
    for (const entity of Object.values(collectionOf)) {
      if (entity !== name || lacks.has(entity) || types[entity] === undefined) continue
      return {
        fields: Object.keys(fieldsOf(entity))
          .filter((field) => hasField(entity, field))
          .map((name) => ({ name }))
      }
    }
    return null
  }

  const resolve = (field: Field): unknown => {
    if (field.name === "_meta") return meta(field.arguments["block"])
    return field.name === "__type" ? typeOf(field.arguments["name"]) : collection(field)
  }

  return (call: Call): Answer => {
    const { query, variables } = objectOf(JSON.parse(call.body))
    try {
      const fields = parseQuery(String(query), objectOf(variables))
      return {
        status: 200,
        body: JSON.stringify({ data: Object.fromEntries(fields.map((field) => [field.alias, resolve(field)])) })
      }
    } catch (error) {
      if (!(error instanceof QueryError || error instanceof SyntaxError)) throw error
      return errors(error.message)
    }
  }
}

/** Errors as graph-node sends them: in a response with status 200. */
export const errors = (...messages: ReadonlyArray<string>): Answer => ({
  status: 200,
  body: JSON.stringify({ errors: messages.map((message) => ({ message })) })
})

/** A client whose requests a function answers; `undefined` is a response that never arrives. */
export const makeClient = (answer: (call: Call) => Answer | undefined): HttpClient.HttpClient =>
  HttpClient.make((request) =>
    Effect.suspend(() => {
      const body = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : ""
      const answered = answer({ headers: request.headers, body })
      if (answered === undefined) return Effect.never
      const { headers = {}, status } = answered
      return Effect.succeed(HttpClientResponse.fromWeb(request, new Response(answered.body, { status, headers })))
    })
  )
