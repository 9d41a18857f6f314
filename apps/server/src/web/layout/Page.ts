import { createHash } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import { html, raw } from "./Html.ts"
import type { Html } from "./Html.ts"
import { revalidated } from "./StaticFile.ts"
import { pageStyle } from "./Styles.ts"

/** The icon of every page: three candles. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%23155e75'/%3E%3Cpath d='M4 4v9M8 2v9M12 5v8' stroke='%23a5f3fc'/%3E%3Cpath d='M4 6v5M8 4v5M12 7v4' stroke='%23a5f3fc' stroke-width='2.4'/%3E%3C/svg%3E"

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'"

/** The source expression by which a content security policy allows one inline text. */
export const hashSource = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

interface Frame {
  readonly title: string
  readonly body: Html
  /** The text of the style element. */
  readonly style: string
  readonly script: string | undefined
}

/** A page without external resources. Its policy allows the style and the script by the hash of their exact text. */
export const renderFrame = ({ body, script, style, title }: Frame): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${raw(`<link rel="icon" type="image/svg+xml" href="${icon}" />`)}
        <title>${title}</title>
        ${raw(`<style>${style}</style>`)}
        ${script === undefined ? undefined : raw(`<script type="module">${script}</script>`)}
      </head>
      <body>
        <main>${body}</main>
      </body>
    </html>`.text

/** A page that is the same for everyone, without external resources, and without scripts but its own. */
export const page = (
  title: string,
  body: Html,
  {
    script,
    status = 200,
    style = pageStyle
  }: { readonly status?: number; readonly script?: string | undefined; readonly style?: string } = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(renderFrame({ title, body, style, script }), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "content-security-policy": script === undefined ? policy : `${policy}; script-src ${hashSource(script)}`,
      "x-frame-options": "DENY",
      "cache-control": revalidated
    }
  })
