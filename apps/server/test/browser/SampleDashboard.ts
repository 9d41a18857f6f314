import { DateTime } from "effect"
import type { HttpServerResponse } from "effect/http"
import { dashboardPage, maxNameLength } from "../../src/web/dashboard/DashboardPage.ts"

const now = DateTime.makeUnsafe("2026-11-21T08:30:00Z")

const ago = (time: Parameters<typeof DateTime.subtract>[1]) => DateTime.subtract(now, time)

const key = {
  scopes: undefined,
  createdAt: ago({ days: 40 }),
  expiresAt: undefined,
  revokedAt: undefined,
  lastUsedAt: ago({ minutes: 3 }),
  requestsToday: 0
}

const event = { actor: "account", account: "a", address: "203.0.113.7", key: null, detail: "" } as const

/** A dashboard with every possible element: an account of some weeks. */
export const sampleDashboard = (): HttpServerResponse.HttpServerResponse =>
  dashboardPage({
    signedIn: { email: "ada.lovelace@example.com", token: "t".repeat(43) },
    now,
    outcome: "revoked",
    keys: [
      { ...key, id: "a1b2c3d4e5", name: "notebook", shown: "chaintape_a1b2c3d4e5…9Xq2", requestsToday: 12_408 },
      {
        ...key,
        id: "f6g7h8i9j0",
        name: "aResearchClusterWithALongName".padEnd(maxNameLength, "s"),
        shown: "chaintape_f6g7h8i9j0…Lm41",
        scopes: ["cex", "blocks"],
        expiresAt: DateTime.add(now, { days: 51 }),
        requestsToday: 3
      },
      {
        ...key,
        id: "k1l2m3n4o5",
        name: "old trial",
        shown: "chaintape_k1l2m3n4o5…0ppZ",
        scopes: ["dex"],
        expiresAt: ago({ days: 2 }),
        lastUsedAt: undefined
      },
      {
        ...key,
        id: "p6q7r8s9t0",
        name: "laptop",
        shown: "chaintape_p6q7r8s9t0…Kk3d",
        revokedAt: ago({ minutes: 1 })
      }
    ],
    usage: Array.from({ length: 30 }, (_, index) => ({
      day: DateTime.formatIsoDateUtc(ago({ days: 29 - index })),
      requests: index === 11 ? 0 : Math.round(4000 + 3000 * Math.sin(index / 3) + index * 180),
      refused: index % 7 === 5 ? 900 : index === 11 ? 0 : 40
    })),
    operations: [
      { operation: "cex.trades", requests: 148_210, refused: 4_120 },
      { operation: "dex.pools", requests: 21_044, refused: 0 },
      { operation: "cex.liveTrades", requests: 311, refused: 7 },
      { operation: "blocks.blocks", requests: 1, refused: 1 }
    ],
    events: [
      { ...event, id: 5, at: ago({ minutes: 1 }), kind: "key-revoked", key: "p6q7r8s9t0", detail: "laptop" },
      { ...event, id: 4, at: ago({ hours: 2 }), kind: "signed-in" },
      { ...event, id: 3, at: ago({ hours: 3 }), kind: "sign-in-failed", actor: "nobody", address: "2001:db8::2:1" },
      {
        ...event,
        id: 2,
        at: ago({ days: 40 }),
        kind: "key-created",
        key: "f6g7h8i9j0",
        detail: "s".repeat(maxNameLength)
      },
      { ...event, id: 1, at: ago({ days: 40 }), kind: "account-created", detail: "ada.lovelace@example.com" }
    ]
  })
