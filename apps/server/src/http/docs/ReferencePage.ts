import { readFileSync } from "node:fs"
import { HttpServerResponse } from "effect/http"
import { html, raw } from "../../web/layout/Html.ts"
import type { Html } from "../../web/layout/Html.ts"
import { hashSource, renderFrame } from "../../web/layout/Page.ts"
import { pageStyle } from "../../web/layout/Styles.ts"
import { toTable } from "../../web/layout/Table.ts"
import { referenceHeaders } from "./HeaderReference.ts"
import type { ReferenceOperation } from "./OperationReference.ts"
import { referenceOperations } from "./OperationReference.ts"

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), "utf8")

const style = pageStyle + read("reference.css")
const script = read("reference.js")

/** Requests go to this service alone. */
const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  `frame-ancestors 'none'; script-src ${hashSource(script)}`

/**
 * The values of path parameters with which the operations of this service work, by group and name: `cex exchange` is its
 * first exchange.
 */
export type Examples = ReadonlyMap<string, string>

/** A text in which backticks enclose code. */
const withCode = (text: string): ReadonlyArray<Html> =>
  text.split("`").map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))

/** Joins parts without a space between them. */
const joined = (parts: ReadonlyArray<Html>): Html => raw(parts.map(({ text }) => text).join(""))

const renderText = (text: string): Html => joined(withCode(text))

const toRow = (cells: ReadonlyArray<Html | string>): Html =>
  html`<tr>
    ${cells.map((cell) => html`<td>${cell}</td>`)}
  </tr>`

const toInput = (
  { id }: ReferenceOperation,
  examples: Examples,
  one: ReferenceOperation["parameters"][number]
): Html => {
  const [group = ""] = id.split(".")
  const value = one.in === "path" ? (examples.get(`${group} ${one.name}`) ?? one.example) : ""
  const input = `${id}-${one.name}`
  return html`<label for="${input}">${one.name}${one.isRequired && one.in !== "path" ? " (required)" : ""}</label>
    <input
      id="${input}"
      name="${one.name}"
      data-in="${one.in}"
      value="${value}"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
    />`
}

const toProblem = ({ code, status, title }: ReferenceOperation["problems"][number]): Html =>
  html`<li>${status} ${code === undefined ? title : html`<a href="/problems/${code}">${title}</a>`}</li>`

const toSection = (operation: ReferenceOperation, examples: Examples): Html => {
  const { description, fields, id, isArray, isKeyed, mediaType, parameters, path, problems, summary } = operation
  const media = `${mediaType}${isArray ? ", an array" : ""}`
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h3 id="${id}-title"><a href="#${id}">${summary}</a></h3>
    <p class="path"><code>GET ${path}</code></p>
    <p>${renderText(description)}</p>
    ${isKeyed ? undefined : html`<p>It needs no key.</p>`}
    ${toTable(
      `Parameters of ${id}`,
      ["Parameter", "In", "Type", "Meaning"],
      parameters.map((one) => toRow([html`<code>${one.name}</code>`, one.in, one.type, renderText(one.description)]))
    )}
    <details>
      <summary>Response: ${media}</summary>
      ${
        toTable(
          `Fields of the response of ${id}`,
          ["Field", "Type", "Meaning"],
          fields.map((one) => toRow([html`<code>${one.name}</code>`, one.type, renderText(one.description)]))
        ) ?? html`<p>Each event has the fields that its description names.</p>`
      }
    </details>
    <details>
      <summary>Problems</summary>
      <ul>
        ${problems.map(toProblem)}
      </ul>
    </details>
    <form data-path="${path}" data-keyed="${String(isKeyed)}" aria-label="Request of ${id}">
      <div class="inputs">${parameters.map((one) => toInput(operation, examples, one))}</div>
      <div class="command">
        <pre tabindex="0" role="group" aria-label="Command of ${id}"><code></code></pre>
        <button type="button" class="copy">Copy</button>
      </div>
      <button type="submit">Send the request</button>
      <div class="response" role="status"></div>
    </form>
  </section>`
}

/** The reference of every operation, where each can be sent. */
export const referencePage = (examples: Examples): HttpServerResponse.HttpServerResponse => {
  const operations = referenceOperations()
  const groups = [...Map.groupBy(operations, ({ group }) => group)]
  const body = html`<p><a href="/">Chaintape</a></p>
    <h1>API reference</h1>
    <p class="quiet">
      Every operation is a GET request. It answers JSON, or a stream of events. <a href="#headers">Headers</a> say what
      is proven about a response. Types are in the <a href="/openapi.json">OpenAPI document</a>;
      <a href="/problems">problems</a> have pages of their own, and the <a href="/guide/">guide</a> shows the packages.
    </p>
    <form id="access" aria-label="Key">
      <label for="key">API key, for the requests of this page</label>
      <input id="key" name="key" type="password" autocomplete="off" spellcheck="false" />
      <p class="quiet">
        It is sent in the header <code>api-key</code>, and stays in this tab. <a href="/sign-up">Sign up</a> for one, or
        use the one that the start of the service printed.
      </p>
    </form>
    <nav aria-label="Operations">
      ${groups.map(
        ([group, members]) =>
          html`<h2>${group}</h2>
            <ul>
              ${members.map(({ id, summary }) => html`<li><a href="#${id}">${summary}</a></li>`)}
            </ul>`
      )}
    </nav>
    <section id="headers" aria-labelledby="headers-title">
      <h2 id="headers-title"><a href="#headers">Headers of responses</a></h2>
      ${toTable(
        "What each header means",
        ["Header", "Example", "Meaning"],
        referenceHeaders.map(({ example, meaning, name }) =>
          toRow([html`<code>${name}</code>`, html`<code>${example}</code>`, renderText(meaning)])
        )
      )}
    </section>
    ${groups.map(
      ([group, members]) =>
        html`<h2>${group}</h2>
          ${members.map((operation) => toSection(operation, examples))}`
    )}`
  return HttpServerResponse.text(renderFrame({ title: "API reference · Chaintape", body, style, script }), {
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": policy, "x-frame-options": "DENY" }
  })
}
