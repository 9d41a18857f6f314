/** The site for language models: a list of its pages, and all pages in one file. */
import { paragraphs, type SiteSection } from "./SitePage.ts"

const lead =
  "> Crypto market and blockchain data over HTTP, with Effect clients: trades and candles of centralized exchanges, " +
  "tokens, pools and trades of Uniswap V3 as of any block, and blocks of EVM chains."

/** In the format of llmstxt.org. Links point to the Markdown of each page. */
export const llmsText = (sections: ReadonlyArray<SiteSection>): string =>
  paragraphs(
    "# Chaintape",
    lead,
    ...sections.flatMap(({ pages, title }) => [
      `## ${title}`,
      pages.map(({ path, summary, title }) => `- [${title}](${path})${summary === "" ? "" : `: ${summary}`}`).join("\n")
    ])
  )

export const llmsFullText = (sections: ReadonlyArray<SiteSection>): string =>
  paragraphs("# Chaintape", lead, ...sections.flatMap(({ pages }) => pages.map(({ text }) => text.trim())))
