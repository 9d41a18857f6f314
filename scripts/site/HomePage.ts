import { code, paragraphs, type SiteSection } from "./SitePage.ts"

/** The home page: a summary, and every section with its pages. */
export const homePage = (sections: ReadonlyArray<SiteSection>): string =>
  paragraphs(
    "# Chaintape",
    "Chaintape answers questions about crypto markets and blockchains over HTTP: trades and candles of centralized " +
      "exchanges, tokens, pools and trades of Uniswap V3, now or as of a block, and blocks of EVM chains. Its packages read " +
      "it from Effect, and from programs without Effect, with decoded values and typed errors.",
    code("", "npx -y pnpm@12 start"),
    "starts the service on a sandbox of its own, without an account or a network.",
    ...sections
      .slice(0, 1)
      .flatMap(({ pages }) => [
        "## Guides",
        pages.map(({ path, summary, title }) => `- [${title}](/${path}): ${summary}`).join("\n")
      ]),
    "## Reference",
    sections
      .filter(({ title }) => title.startsWith("@"))
      .flatMap(({ pages, title }) =>
        pages.slice(0, 1).map(({ path, summary }) => `- [\`${title}\`](/${path}): ${summary}`)
      )
      .join("\n")
  )
