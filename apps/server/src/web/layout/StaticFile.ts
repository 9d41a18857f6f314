/** By the suffix of a file. */
export const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2"
}

/** The names of assets contain a digest of their content. */
export const immutable = "public, max-age=31536000, immutable"

/** Of what is the same for everyone and may change at any time. */
export const revalidated = "public, no-cache"
