import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { Effect, Schema } from "effect"
import { DevnetError } from "../node/DevnetError.ts"
import type { AlgebraRelease } from "./Deployment.ts"

const Hex = Schema.TemplateLiteral(["0x", Schema.String])

const OwnContracts = Schema.fromJsonString(
  Schema.Struct({
    AlgebraPlugin: Hex,
    AlgebraTrader: Hex,
    FlashBorrower: Hex,
    PairTrader: Hex,
    PoolDeployer: Hex,
    PoolTrader: Hex,
    Token: Hex,
    WrappedEther: Hex
  })
)
const Artifact = Schema.fromJsonString(Schema.Struct({ bytecode: Schema.String }))

const readOwn = Effect.tryPromise(() => readFile(new URL("contracts.json", import.meta.url), "utf8")).pipe(
  Effect.flatMap(Schema.decodeEffect(OwnContracts))
)

/**
 * The contracts of an exchange as their authors published them. Loaded from the packages, because their licences differ
 * from ours.
 */
const readPublished = (path: string) =>
  Effect.tryPromise(() => readFile(createRequire(import.meta.url).resolve(path), "utf8")).pipe(
    Effect.flatMap(Schema.decodeEffect(Artifact)),
    // Artifacts of older compilers have no prefix.
    Effect.map(({ bytecode }): `0x${string}` => `0x${bytecode.replace(/^0x/, "")}`)
  )

const orFail = Effect.mapError(
  (cause: { readonly message: string }) =>
    new DevnetError({
      reason: "StartFailed",
      message: `A contract's bytecode could not be read: ${cause.message}`,
      cause
    })
)

/** The creation bytecode of what every devnet deploys. */
export const readBytecode = orFail(
  Effect.all(
    {
      own: readOwn,
      factory: readPublished("@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json"),
      positions: readPublished(
        "@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json"
      ),
      router: readPublished("@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json")
    },
    { concurrency: "unbounded" }
  )
)

export type Bytecode = Effect.Success<typeof readBytecode>

/** The creation bytecode of the published contracts of PancakeSwap V3. */
export const readPancakeBytecode = orFail(
  Effect.all(
    {
      factory: readPublished("@pancakeswap/v3-core/artifacts/contracts/PancakeV3Factory.sol/PancakeV3Factory.json"),
      pool: readPublished("@pancakeswap/v3-core/artifacts/contracts/PancakeV3Pool.sol/PancakeV3Pool.json")
    },
    { concurrency: "unbounded" }
  )
)

export type PancakeBytecode = Effect.Success<typeof readPancakeBytecode>

/** The creation bytecode of the published factory of Uniswap V2, which contains that of its pairs. */
export const readUniswapV2Factory = orFail(readPublished("@uniswap/v2-core/build/UniswapV2Factory.json"))

const algebraPackages = {
  "1.0": "@cryptoalgebra/v1-core",
  "2.0": "@cryptoalgebra/core",
  integral: "@cryptoalgebra/integral-core",
  "integral-1.2.2": "@cryptoalgebra/integral-core-1.2.2"
} satisfies Record<AlgebraRelease, string>

/**
 * The creation bytecode of the published contracts of a release of Algebra. Those of Integral are under the Business
 * Source License, which permits tests of a devnet: they are no dependency of the offline start.
 */
export const readAlgebraBytecode = (release: AlgebraRelease) => {
  const isIntegral = release !== "1.0" && release !== "2.0"
  const read = (name: string) =>
    readPublished(`${algebraPackages[release]}/artifacts/contracts/${name}.sol/${name}.json`)
  return orFail(
    Effect.all(
      {
        factory: read("AlgebraFactory"),
        deployer: read("AlgebraPoolDeployer"),
        vault: isIntegral ? read("AlgebraCommunityVault") : Effect.undefined,
        vaultFactory: isIntegral ? read("AlgebraVaultFactoryStub") : Effect.undefined
      },
      { concurrency: "unbounded" }
    )
  )
}

export type AlgebraBytecode = Effect.Success<ReturnType<typeof readAlgebraBytecode>>
