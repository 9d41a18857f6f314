/** What a language model reads in place of the site: a list of its pages, and all of them in one file. */
import { paragraphs, type SiteSection } from "./SitePage.ts"

const lead =
  "> Crypto market and blockchain data over HTTP, with Effect clients: trades and candles of centralized exchanges, " +
  "tokens, pools and trades of Uniswap V3 as of any block, and blocks of EVM chains."

/** The form of llmstxt.org. Links lead to the Markdown of each page. */
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
