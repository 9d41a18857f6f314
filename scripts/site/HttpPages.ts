/** The reference of the HTTP interface: a page for each operation, from the OpenAPI document that the service serves. */
import type { ReferenceOperation } from "../../apps/server/src/http/docs/OperationReference.ts"
import { referenceOperations } from "../../apps/server/src/http/docs/OperationReference.ts"
import { code, paragraphs, prose, type SitePage, type SiteSection } from "./SitePage.ts"

/** In one line: a description may have several. */
const cell = (part: string): string => prose(part.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " "))

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  rows.length === 0
    ? ""
    : [head, head.map(() => "---"), ...rows.map((row) => row.map(cell))]
        .map((row) => `| ${row.join(" | ")} |`)
        .join("\n")

const titled = (title: string, content: string): string => (content === "" ? "" : `## ${title}\n\n${content}`)

const toExample = ({ isKeyed, parameters, path }: ReferenceOperation): string => {
  const examples = new Map(parameters.map(({ example, name }) => [name, example]))
  const target = path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => examples.get(name) || whole)
  return `curl ${isKeyed ? '-H "api-key: $CHAINTAPE_API_KEY" ' : ""}"http://127.0.0.1:3000${target}"`
}

const toPage = (operation: ReferenceOperation): SitePage => ({
  path: `http/${operation.id}.md`,
  title: operation.id,
  summary: operation.summary,
  text: paragraphs(
    `# ${operation.id}`,
    code("http", `GET ${operation.path}`),
    prose(`${operation.summary}.`),
    prose(operation.description),
    operation.isKeyed ? "" : "It needs no key.",
    titled(
      "Parameters",
      table(
        ["Parameter", "In", "Type", "Meaning"],
        operation.parameters.map((one) => [
          `\`${one.name}\``,
          one.in,
          one.type,
          `${one.description}${one.isRequired && one.in !== "path" ? " (required)" : ""}`
        ])
      )
    ),
    titled("Example", code("", toExample(operation))),
    titled(
      "Response",
      paragraphs(
        `\`${operation.mediaType}\`${operation.isArray ? ", an array of:" : ""}`,
        table(
          ["Field", "Type", "Meaning"],
          operation.fields.map(({ description, name, type }) => [`\`${name}\``, type, description])
        )
      ).trim()
    ),
    titled(
      "Problems",
      operation.problems
        .map(
          ({ code, status, title }) =>
            `- ${status}: ${code === undefined ? title : `[${title}](../problems/${code}.md)`}`
        )
        .join("\n")
    )
  )
})

/** A page for each operation, after one that lists them. */
export const httpSection = (): SiteSection => {
  const operations = referenceOperations()
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
        operations.map(({ id, path, summary }) => [`\`${path}\``, `[${id}](./${id}.md)`, summary])
      )
    )
  }
  return { title: "HTTP interface", pages: [overview, ...operations.map(toPage)] }
}
