import { HttpServerResponse } from "effect/http"

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }
export const escape = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character)

const style = `
:root { color-scheme: light dark; --text: #1a1f26; --quiet: #545e6b; --line: #d5dae1; --back: #fff; --accent: #0b57d0; --code: #f2f4f7 }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e9ee; --quiet: #a3adba; --line: #363d47; --back: #14171c; --accent: #8ab4f8; --code: #1f242b }
}
* { box-sizing: border-box }
body { margin: 0 auto; padding: 2.5rem 1.25rem 4rem; max-width: 46rem; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif }
h1 { margin: 0 0 .25rem; font-size: 1.75rem; letter-spacing: -.01em }
h2 { margin: 2.25rem 0 .5rem; font-size: 1.15rem }
p { margin: .5rem 0 }
.quiet { color: var(--quiet) }
a { color: var(--accent) }
a:focus-visible, pre:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
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

/** A page that needs no script and nothing from elsewhere. `body` is HTML. */
export const page = (title: string, body: string, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escape(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`,
    {
      status,
      contentType: "text/html; charset=utf-8",
      headers: { "content-security-policy": policy, "x-frame-options": "DENY", "cache-control": "no-cache" }
    }
  )
