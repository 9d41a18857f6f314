/** The reference of the HTTP interface: a page for each operation, from the OpenAPI document that the service serves. */
import { OpenApi } from "effect/http-api"
import { DocumentedApi } from "../../apps/server/src/http/docs/DocumentedApi.ts"
import { problemTypes } from "./ProblemPages.ts"
import { code, paragraphs, prose, type SitePage, type SiteSection } from "./SitePage.ts"

const document = OpenApi.fromApi(DocumentedApi)
type Operation = NonNullable<NonNullable<(typeof document.paths)[`/${string}`]>["get"]>
type JsonSchema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const list = (value: unknown): ReadonlyArray<JsonSchema> => (Array.isArray(value) ? value.filter(isSchema) : [])
const text = (value: unknown): string => (typeof value === "string" ? value : "")

const resolve = (schema: JsonSchema): JsonSchema => {
  const name = text(schema["$ref"]).split("/").at(-1) ?? ""
  const found: unknown = document.components.schemas[name]
  return name !== "" && isSchema(found) ? resolve(found) : schema
}

const shown = (value: unknown): string => `\`${JSON.stringify(value)}\``

const toType = (given: JsonSchema): string => {
  const schema = resolve(given)
  if (Array.isArray(schema["enum"])) return schema["enum"].map(shown).join(", ")
  const all = [...list(schema["anyOf"]), ...list(schema["oneOf"])]
  if (all.length > 0) return [...new Set(all.map(toType))].join(" or ")
  if (schema["type"] === "array" && isSchema(schema["items"])) return `array of ${toType(schema["items"])}`
  const bounds = [
    ...("minimum" in schema ? [`from ${String(schema["minimum"])}`] : []),
    ...("maximum" in schema ? [`to ${String(schema["maximum"])}`] : [])
  ]
  const standard = "default" in schema ? `, ${shown(schema["default"])} if absent` : ""
  return [text(schema["type"]) || "any", ...bounds].join(" ") + standard
}

const describe = (given: JsonSchema): string => text(given["description"]) || text(resolve(given)["description"])

/** The fields of a body, those of objects within it after a dot. */
const toFields = (given: JsonSchema, path = ""): ReadonlyArray<ReadonlyArray<string>> => {
  const schema = resolve(given)
  if (schema["type"] === "array" && isSchema(schema["items"])) return toFields(schema["items"], path)
  const [alternative] = list(schema["anyOf"])
  if (alternative !== undefined) return toFields(alternative, path)
  return Object.entries(isSchema(schema["properties"]) ? schema["properties"] : {}).flatMap(([name, field]) => {
    if (!isSchema(field)) return []
    const own = path === "" ? name : `${path}.${name}`
    return [[`\`${own}\``, toType(field), describe(field)], ...toFields(field, own)]
  })
}

/** One line for each cell: a description may have several. */
const cell = (part: string): string => prose(part.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " "))

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 0
    ? ""
    : [head, head.map(() => "---"), ...rows.map((row) => row.map(cell))]
        .map((row) => `| ${row.join(" | ")} |`)
        .join("\n")

const titled = (title: string, content: string): string => (content === "" ? "" : `## ${title}\n\n${content}`)

/** The path with the example of each parameter. */
const toExample = (path: string, parameters: ReadonlyArray<JsonSchema>): string =>
  path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const found = parameters.find((one) => one["name"] === name)
    return text(found?.["example"]) || whole
  })

const toProblems = ({ responses }: Operation): string =>
  Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { description }]) => description.split(" | ").map((title) => [status, title] as const))
    .map(([status, title]) => {
      const found = problemTypes.find((one) => one.title === title)
      return found === undefined ? `- ${status}: ${title}` : `- ${status}: [${title}](../problems/${found.code}.md)`
    })
    .join("\n")

const toPage = (path: string, operation: Operation): SitePage => {
  const parameters = list(operation.parameters)
  const ok = Object.entries(operation.responses).find(([status]) => status.startsWith("2"))?.[1]
  const [mediaType = "", body] = Object.entries(ok?.content ?? {})[0] ?? []
  const schema: unknown = body?.schema
  const keyed = (operation.security ?? []).length > 0
  const [first = ""] = text(operation.description).split(/(?<=[.:])\s/)
  const summary = text(operation.summary) || first
  return {
    path: `http/${operation.operationId}.md`,
    title: operation.operationId,
    summary,
    text: paragraphs(
      `# ${operation.operationId}`,
      code("http", `GET ${path}`),
      prose(summary === first ? "" : `${summary}${summary.endsWith(".") ? "" : "."}`),
      prose(text(operation.description)),
      keyed ? "" : "It needs no key.",
      titled(
        "Parameters",
        table(
          ["Parameter", "In", "Type", "Meaning"],
          parameters.map((one) => [
            `\`${text(one["name"])}\``,
            text(one["in"]),
            isSchema(one["schema"]) ? toType(one["schema"]) : "",
            `${text(one["description"])}${one["required"] === true && one["in"] !== "path" ? " (required)" : ""}`
          ])
        )
      ),
      titled(
        "Example",
        code(
          "",
          `curl ${keyed ? '-H "api-key: $CHAINTAPE_API_KEY" ' : ""}"http://127.0.0.1:3000${toExample(path, parameters)}"`
        )
      ),
      titled(
        "Response",
        paragraphs(
          mediaType === ""
            ? ""
            : `\`${mediaType}\`${isSchema(schema) && resolve(schema)["type"] === "array" ? ", an array of:" : ""}`,
          table(["Field", "Type", "Meaning"], isSchema(schema) ? toFields(schema) : [])
        ).trim()
      ),
      titled("Problems", toProblems(operation))
    )
  }
}

const pages = Object.entries(document.paths).flatMap(([path, { get } = {}]) =>
  get === undefined ? [] : [{ path, page: toPage(path, get) }]
)

const overview: SitePage = {
  path: "http/index.md",
  title: "All operations",
  summary: "Every path of the HTTP interface.",
  text: paragraphs(
    "# HTTP interface",
    "Every operation is a GET request that answers JSON, or a stream of events. The key is in the header `api-key` or in the " +
      "query parameter `apiKey`. Headers of responses and conventions are in [the interface](../docs/interface.md).",
    table(
      ["Path", "Operation", "Content"],
      pages.map(({ page, path }) => [`\`${path}\``, `[${page.title}](./${page.title}.md)`, page.summary])
    )
  )
}

export const httpSection = (): SiteSection => ({
  title: "HTTP interface",
  pages: [overview, ...pages.map(({ page }) => page)]
})
