import { createHash } from "node:crypto"
import { HttpServerResponse } from "effect/http"

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }
export const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

const style = `
:root { color-scheme: light dark; --text: #1a1f26; --quiet: #545e6b; --line: #d5dae1; --back: #fff; --accent: #0b57d0; --code: #f2f4f7; --on-accent: #fff; --bad: #b3261e; --bad-back: #fdf0ef; --good: #146c2e; --good-back: #eef7f0; --edge: #7a8594 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ee; --quiet: #a3adba; --line: #363d47; --back: #14171c; --accent: #8ab4f8; --code: #1f242b; --on-accent: #10141a; --bad: #f2b8b5; --bad-back: #3a1f1e; --good: #93d5a4; --good-back: #1a2f20; --edge: #8b95a3 }
}
* { box-sizing: border-box }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 46rem; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif }
h1 { margin: 0 0 .25rem; font-size: 1.75rem; letter-spacing: -.01em }
h2 { margin: 2.25rem 0 .5rem; font-size: 1.15rem }
p { margin: .5rem 0 }
.quiet { color: var(--quiet) }
a { color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
td code { overflow-wrap: anywhere }
pre code { white-space: pre-wrap; overflow-wrap: anywhere }
code { font: .9em ui-monospace, monospace }
pre { margin: .75rem 0; padding: .9rem 1rem; overflow-x: auto; background: var(--code); border: 1px solid var(--line); border-radius: .5rem }
table { width: 100%; border-collapse: collapse }
th, td { padding: .4rem .75rem .4rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
th { font-weight: 600 }
td { font-variant-numeric: tabular-nums }
ul { padding-left: 1.2rem }
`

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'"

/** The source expression by which a content security policy allows one inline text. */
export const hashSource = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

export interface Frame {
  readonly title: string
  /** HTML. */
  readonly body: string
  /** Additional CSS. */
  readonly style?: string
  readonly script?: string
}

/** A page without external resources. */
export const framed = ({ body, script, style: more = "", title }: Frame): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escape(title)}</title>
<style>${style}${more}</style>${script === undefined ? "" : `\n<script type="module">${script}</script>`}
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`

/** The content of the style element of a `framed` page. */
export const toStyle = (more: string): string => style + more

/** A page without external resources, and without scripts but its own. `body` is HTML. */
export const page = (
  title: string,
  body: string,
  { script, status = 200 }: { readonly status?: number; readonly script?: string | undefined } = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(framed(script === undefined ? { title, body } : { title, body, script }), {
    status,
    contentType: "text/html; charset=utf-8",
    headers: {
      "content-security-policy": script === undefined ? policy : `${policy}; script-src ${hashSource(script)}`,
      "x-frame-options": "DENY",
      "cache-control": "no-cache"
    }
  })
