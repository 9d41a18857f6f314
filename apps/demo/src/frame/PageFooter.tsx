import { ZoneChoice } from "../parts/choice/ZoneChoice.tsx"
import { setKey } from "../service/Key.ts"
import "./page-footer.css"

export const PageFooter = () => (
  <footer className="foot">
    <p>
      <a href="/about">All operations</a> <a href="/docs">Documentation</a> <a href="/status">Status</a>{" "}
      <a href="/sign-up">Sign up</a> <a href="/dashboard">Your keys</a>{" "}
      <button type="button" className="link" onClick={() => setKey(undefined)}>
        Use another key
      </button>
    </p>
    <div className="quiet">
      <ZoneChoice /> Charts by <a href="https://www.tradingview.com/">TradingView Lightweight Charts™</a>. All data of
      this page comes from this service.
    </div>
  </footer>
)
