import react from "@vitejs/plugin-react"
import { defineConfig } from "vite"

/** What the service answers itself. */
const service = [
  "/v2",
  "/live",
  "/ping",
  "/status",
  "/health/",
  "/sandbox",
  "/about",
  "/docs",
  "/guide",
  "/openapi.json",
  "/sign-up",
  "/sign-in",
  "/sign-out",
  "/reset-password",
  "/account",
  "/dashboard",
  "/problems"
]

const target = process.env["CHAINTAPE_BASE_URL"] ?? "http://127.0.0.1:3000"

export default defineConfig({
  plugins: [react()],
  resolve: { conditions: ["chaintape-source", "module", "browser", "development|production"] },
  build: {
    target: "es2024",
    // The policy of the service allows no inline code, and every browser of this target preloads by itself.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000
  },
  server: {
    port: 5173,
    strictPort: true,
    proxy: Object.fromEntries(service.map((path) => [path, { target, changeOrigin: false }]))
  }
})
