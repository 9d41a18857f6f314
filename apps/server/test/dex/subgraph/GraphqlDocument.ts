/** A field of a selection: the subset of GraphQL in subgraph queries. */
export interface Field {
  readonly alias: string
  readonly name: string
  readonly arguments: { readonly [name: string]: unknown }
  readonly selection: ReadonlyArray<Field>
}

const token = /\s*("(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|-?\d+|\$[A-Za-z_]\w*|[{}()[\]:!,])\s*/y

const getTokens = (document: string): Array<string> => {
  const tokens: Array<string> = []
  token.lastIndex = 0
  while (token.lastIndex < document.length) {
    const at = token.lastIndex
    const found = token.exec(document)?.[1]
    if (found === undefined) throw new SyntaxError(`GraphQL: unexpected text at ${at}: ${document.slice(at, at + 20)}`)
    if (found !== ",") tokens.push(found)
  }
  return tokens
}

/** The fields of a query, with the variables filled in. */
export const parseQuery = (document: string, variables: { readonly [name: string]: unknown }): ReadonlyArray<Field> => {
  const tokens = getTokens(document)
  let at = 0
  const declared = new Set<string>()
  const next = (): string => {
    const found = tokens[at++]
    if (found === undefined) throw new SyntaxError("GraphQL: unexpected end")
    return found
  }
  const expect = (wanted: string) => {
    const found = next()
    if (found !== wanted) throw new SyntaxError(`GraphQL: expected "${wanted}", found "${found}"`)
  }
  const value = (): unknown => {
    const found = next()
    if (found.startsWith("$")) {
      if (!declared.has(found)) throw new SyntaxError(`GraphQL: ${found} is not declared`)
      return variables[found.slice(1)]
    }
    if (found.startsWith('"')) return JSON.parse(found)
    return /^-?\d/.test(found) ? Number(found) : found
  }
  const readArguments = () => {
    const read: { [name: string]: unknown } = {}
    while (tokens[at] !== ")") {
      const name = next()
      expect(":")
      read[name] = value()
    }
    at++
    return read
  }
  const readSelection = (): ReadonlyArray<Field> => {
    const fields: Array<Field> = []
    expect("{")
    while (tokens[at] !== "}") {
      const alias = next()
      const renamed = tokens[at] === ":"
      if (renamed) at++
      const name = renamed ? next() : alias
      const isCalled = tokens[at] === "("
      if (isCalled) at++
      const read = isCalled ? readArguments() : {}
      fields.push({ alias, name, arguments: read, selection: tokens[at] === "{" ? readSelection() : [] })
    }
    at++
    return fields
  }
  expect("query")
  next()
  if (tokens[at] === "(") {
    while (next() !== ")") if (tokens[at]?.startsWith("$") === true) declared.add(tokens[at] ?? "")
  }
  const fields = readSelection()
  if (at !== tokens.length) throw new SyntaxError("GraphQL: text behind the query")
  return fields
}
