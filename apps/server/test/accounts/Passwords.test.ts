import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { normalizeEmail, passwordIssue } from "../../src/accounts/Credentials.ts"
import { derive, Passwords } from "../../src/accounts/Passwords.ts"
import type { HashCost } from "../../src/accounts/Passwords.ts"
import { cheap } from "./AccountService.ts"

const on = <A, E>(effect: Effect.Effect<A, E, Passwords>, limits = cheap) =>
  Effect.provide(effect, Passwords.layerTest(limits))

describe("Passwords", () => {
  it.effect("verify the password of an account, and no other", () =>
    on(
      Effect.gen(function* () {
        const { hash, matches } = yield* Passwords
        for (const password of [
          "ten characters",
          "пароль 密码 🔑🔑🔑",
          " spaces around ",
          "x".repeat(256),
          "\0".repeat(10)
        ]) {
          const stored = yield* hash(password)
          assert.match(stored, /^\$scrypt\$ln=4,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/)
          assert.isTrue(yield* matches(password, stored))
          assert.isFalse(yield* matches(`${password}x`, stored))
          assert.notStrictEqual(yield* hash(password), stored)
        }
      })
    )
  )

  it.effect("do not depend on how a keyboard composes characters", () =>
    on(
      Effect.gen(function* () {
        const { hash, matches } = yield* Passwords
        assert.isTrue(yield* matches("pass e\u0301te\u0301 word", yield* hash("pass \u00e9t\u00e9 word")))
      })
    )
  )

  it.effect("do not match if no hash or an invalid hash is stored", () =>
    on(
      Effect.gen(function* () {
        const { matches } = yield* Passwords
        for (const stored of [undefined, "", "plain text", "$scrypt$ln=4,r=8,p=1$short$short"])
          assert.isFalse(yield* matches("plain text", stored))
      })
    )
  )

  it.effect("are outdated if their hash is cheaper than that of new ones", () =>
    Effect.gen(function* () {
      const stored = yield* on(Effect.flatMap(Passwords, ({ hash }) => hash("some password")))
      const outdated = (limits: typeof cheap) =>
        on(
          Effect.map(Passwords, ({ isOutdated }) => isOutdated(stored)),
          limits
        )
      assert.isFalse(yield* outdated(cheap))
      assert.isTrue(yield* outdated({ ...cheap, log2N: 5 }))
      assert.isTrue(yield* outdated({ ...cheap, p: 2 }))
      assert.isFalse(yield* outdated({ ...cheap, log2N: 3 }))
      // Hashes with other parameters stay valid.
      assert.isTrue(
        yield* on(
          Effect.flatMap(Passwords, ({ matches }) => matches("some password", stored)),
          { ...cheap, log2N: 5 }
        )
      )
    })
  )

  it.live("are refused at once if too many are waiting", () =>
    on(
      Effect.gen(function* () {
        const { hash } = yield* Passwords
        // Without a turn of the event loop in between, in which the first could finish.
        const first = yield* Effect.forEach([1, 2, 3], () =>
          Effect.forkChild(hash("some password"), { startImmediately: true })
        )
        const refused = yield* Effect.flip(hash("some password"))
        assert.strictEqual(refused._tag, "PasswordsBusyError")
        assert.strictEqual(refused.message, "Too many passwords wait to be hashed: try again later.")
        yield* Effect.forEach(first, Fiber.join)
        assert.include(yield* hash("some password"), "$scrypt$")
      }),
      { log2N: 14, r: 8, p: 1, atOnce: 1, waiting: 2 }
    )
  )

  it.effect("do the same work to verify if the address is unknown or its hash is invalid", () => {
    const work: Array<HashCost> = []
    const observed: typeof derive = (password, salt, cost) =>
      Effect.suspend(() => {
        const { log2N, p, r } = cost
        work.push({ log2N, p, r })
        return derive(password, salt, cost)
      })
    return Effect.gen(function* () {
      const { hash, matches } = yield* Passwords
      const stored = yield* hash("some password")
      for (const known of [stored, undefined, "invalid"]) {
        work.length = 0
        assert.isFalse(yield* matches("another password", known))
        assert.deepStrictEqual(work, [{ log2N: 5, r: 8, p: 2 }])
      }
    }).pipe(Effect.provide(Passwords.layerTest({ ...cheap, log2N: 5, p: 2 }, observed)))
  })
})

describe("new credentials", () => {
  it("take addresses, trimmed and in lower case", () => {
    assert.strictEqual(normalizeEmail(" Ada.Lovelace+x@Example.COM "), "ada.lovelace+x@example.com")
    assert.strictEqual(normalizeEmail("用户@例子.公司"), "用户@例子.公司")
    for (const text of [
      "",
      "ada",
      "ada@",
      "@example.com",
      "ada@example",
      "a b@example.com",
      "a@b@example.com",
      "a@example..com",
      "<a@example.com>",
      "a\0b@example.com",
      "a@example.com\nbcc: x",
      `${"a".repeat(65)}@example.com`,
      `a@${"b".repeat(300)}.com`
    ])
      assert.isUndefined(normalizeEmail(text), text)
  })

  it("take passwords of 10 to 256 characters of any kind, except the commonest", () => {
    for (const good of ["correct horse", "x y z 1 2 3", "🔑🔒🗝🔐🔓🧷🪪🧱🪟🚪", "ab".repeat(128)])
      assert.isUndefined(passwordIssue(good, "a@example.com"), good)
    for (const bad of [
      "",
      "123456789",
      "🔑🔒🗝🔐🔓🧷🪪🧱🪟",
      "1234567890",
      "Password123",
      "QWERTYUIOP",
      "aaaaaaaaaaaa",
      "x".repeat(257),
      "Ada@example.com"
    ])
      assert.isString(passwordIssue(bad, "ada@example.com"), bad)
  })
})
