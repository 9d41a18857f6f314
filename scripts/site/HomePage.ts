import { code, paragraphs, type SiteSection } from "./SitePage.ts"

/** The file below `docs/` that the picture comes from, and its name on the site. */
export const picture = { source: "images/demo.png", name: "demo.png" }

/** The code of the marked snippets of a document. */
const findSnippets = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^<!-- snippet: .* -->\n\n```ts\n([\s\S]*?)^```$/gm)].map(([, found = ""]) => found)

const getList = (section: SiteSection | undefined): string =>
  (section?.pages ?? []).map(({ path, summary, title }) => `- [${title}](/${path}): ${summary}`).join("\n")

/** The home page: what it is, a picture, the first command, request and programs, and every section. */
export const homePage = (sections: ReadonlyArray<SiteSection>, readme: string): string => {
  const [withEffect = "", withoutEffect = ""] = findSnippets(readme)
  const [first, ...others] = sections
  return paragraphs(
    "# Chaintape",
    "Chaintape answers questions about crypto markets and blockchains over HTTP: trades and candles of centralized " +
      "exchanges, tokens, pools and trades of Uniswap V3, now or as of a block, and blocks of EVM chains. Every response states " +
      "what is proven about it. Effect packages read it with decoded values and typed errors.",
    "## Start it",
    code("sh", "npx -y pnpm@12 start"),
    "starts the service on a sandbox of its own, without an account or a network, and prints a link to this demo and a key:",
    `![The market page of the demo: a candle chart, the figures of the range, and live trades that are proven complete](/${picture.name})`,
    "## Read it",
    "From a shell:",
    code("sh", 'curl -H "api-key: $CHAINTAPE_API_KEY" http://127.0.0.1:3000/v2/cex/sandbox/BTC-USD/lasttrade'),
    "With Effect:",
    code("ts", withEffect),
    "Without Effect:",
    code("ts", withoutEffect),
    "## Guides",
    getList(first),
    "## Reference",
    others
      .filter(({ title }) => title.startsWith("@") || title.startsWith("HTTP"))
      .flatMap(({ pages, title }) => pages.slice(0, 1).map(({ path, summary }) => `- [${title}](/${path}): ${summary}`))
      .join("\n")
  )
}
