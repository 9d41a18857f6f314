import "./style/tokens.css"
import "./style/base.css"
import "./style/controls.css"
import "./style/table.css"
import "./style/badge.css"
import "./style/figures.css"
import "./style/bars.css"
import "./style/names.css"
import { createRoot } from "react-dom/client"
import { App } from "./App.tsx"
import { ChainFeedsProvider } from "./blocks/ChainFeeds.tsx"
import { shareZone } from "./parts/time/Zone.ts"
import { shareKey, takeKeyFromAddress } from "./service/Key.ts"

takeKeyFromAddress()
shareKey()
shareZone()
// A newer link may be opened in a tab where the page is already open.
window.addEventListener("hashchange", takeKeyFromAddress)

const root = document.getElementById("app")
if (root !== null)
  createRoot(root).render(
    <ChainFeedsProvider>
      <App />
    </ChainFeedsProvider>
  )
