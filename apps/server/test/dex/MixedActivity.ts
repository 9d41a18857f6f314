import type { Devnet, DevnetPool, DevnetToken, Transaction } from "@chaintape/sandbox"
import { Effect } from "effect"
import { encodeFunctionData, getContractAddress, parseAbi } from "viem"
import type { Address, Hex } from "viem"

const abi = parseAbi([
  "struct Single { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amount; uint256 bound; uint160 sqrtPriceLimitX96; }",
  "struct Position { address token0; address token1; uint24 fee; int24 tickLower; int24 tickUpper; uint256 amount0Desired; uint256 amount1Desired; uint256 amount0Min; uint256 amount1Min; address recipient; uint256 deadline; }",
  "function exactInputSingle(Single swap)",
  "function exactOutputSingle(Single swap)",
  "function mint(Position position)",
  "function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96)",
  "function createPool(address tokenA, address tokenB, uint24 fee)",
  "function setOwner(address owner)",
  "function setFeeProtocol(uint8 feeProtocol0, uint8 feeProtocol1)",
  "function collectProtocol(address recipient, uint128 amount0, uint128 amount1)",
  "function increaseObservationCardinalityNext(uint16 next)",
  "function deposit()",
  "function approve(address spender, uint256 value)",
  "function transfer(address to, uint256 value)"
])

const ofToken = parseAbi(["function mint(address to, uint256 value)"])

/** anvil's last three accounts, which the devnet does not use. */
const whale: Address = "0x14dc79964da2c08b23698b3d3cc7ca32193d9955"
const regent: Address = "0x23618e81e3f5cdf7f54c3d65f7fbc0abf5b21e8f"
/** Sends tokens to pools, and does nothing else with them. */
export const donor: Address = "0xa0ee7a142d267c1f36714e4a8f75612f20a79720"

/** Deployed the contracts of the devnet, in this order, and owns the factory at the beginning. */
export const owner: Address = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
const [factory, router, positions] = [
  getContractAddress({ from: owner, nonce: 0n }),
  getContractAddress({ from: owner, nonce: 2n }),
  getContractAddress({ from: owner, nonce: 3n })
] as const

const everything = 2n ** 255n
const deadline = 2n ** 60n

const call = (from: Address, to: Address, data: Hex, gas = 400_000, value?: bigint): Transaction => ({
  from,
  to,
  data,
  gas,
  ...(value === undefined ? {} : { value })
})

/** A sum in USD in a token, at its initial price. */
const raw = ({ decimals, usd }: DevnetToken, amountUSD: number): bigint =>
  (BigInt(Math.floor((amountUSD / usd) * 1e6)) * 10n ** BigInt(decimals)) / 1_000_000n

/** The creation of the pools that the test adds, one per round. */
const additions: ReadonlyArray<readonly [a: string, b: string, fee: 500 | 3000 | 10_000]> = [
  ["DAI", "WETH", 3000],
  ["USDT", "USDC", 500],
  ["UNI", "DAI", 3000],
  ["MOSS", "USDC", 10_000],
  ["WBTC", "USDT", 500]
]

/** A pool that is never initialized. */
const untouched = ["UNI", "WBTC", 10_000] as const

/**
 * Activity that the bots lack: swaps through hundreds of ticks and back, other owners of the factory, protocol fees
 * that change and are withdrawn, more observations, new pools, and tokens sent to pools without a call.
 */
export const mixedActivity = Effect.fnUntraced(function* (devnet: Devnet["Service"]) {
  const { pools, tokens } = devnet
  const token = (symbol: string): DevnetToken => {
    const found = tokens.find((one) => one.symbol === symbol)
    if (found === undefined) throw new Error(`there is no token "${symbol}"`)
    return found
  }
  const weth = token("WETH")
  const pair = (a: string, b: string) =>
    [token(a), token(b)].toSorted((one, other) => (one.address < other.address ? -1 : 1))

  yield* devnet.chain.run([
    call(owner, factory, encodeFunctionData({ abi, functionName: "setOwner", args: [regent] })),
    call(whale, weth.address, encodeFunctionData({ abi, functionName: "deposit" }), 100_000, raw(weth, 3e9)),
    call(donor, weth.address, encodeFunctionData({ abi, functionName: "deposit" }), 100_000, raw(weth, 1e6)),
    ...tokens
      .filter(({ address }) => address !== weth.address)
      .flatMap((one) =>
        [whale, donor].map((to) =>
          call(to, one.address, encodeFunctionData({ abi: ofToken, args: [to, raw(one, 3e9)] }), 200_000)
        )
      ),
    ...tokens.flatMap(({ address }) =>
      [router, positions].map((spender) =>
        call(whale, address, encodeFunctionData({ abi, functionName: "approve", args: [spender, everything] }), 100_000)
      )
    )
  ])

  /** A swap through the router, of an amount in USD that is exact on one side. */
  const swap = (
    [input, output]: readonly [DevnetToken, DevnetToken],
    fee: number,
    usd: number,
    exact: "in" | "out"
  ) => {
    const shared = { tokenIn: input.address, tokenOut: output.address, fee, recipient: whale, deadline }
    const args = [
      {
        ...shared,
        amount: raw(exact === "in" ? input : output, usd),
        bound: exact === "in" ? 0n : everything,
        sqrtPriceLimitX96: 0n
      }
    ] as const
    return call(
      whale,
      router,
      exact === "in"
        ? encodeFunctionData({ abi, functionName: "exactInputSingle", args })
        : encodeFunctionData({ abi, functionName: "exactOutputSingle", args }),
      3_000_000
    )
  }

  /** Far away and back again, in each of the four ways. */
  const thereAndBack = ({ fee, token0, token1, usd }: Pick<DevnetPool, "fee" | "token0" | "token1" | "usd">) => [
    swap([token0, token1], fee, usd * 0.2, "in"),
    swap([token1, token0], fee, usd * 0.2, "out"),
    swap([token1, token0], fee, usd * 0.15, "in"),
    swap([token0, token1], fee, usd * 0.15, "out")
  ]

  const govern = (round: number): ReadonlyArray<Transaction> => {
    const [current, next] = round % 2 === 0 ? ([regent, donor] as const) : ([donor, regent] as const)
    const many = 2n ** 128n - 1n
    return [
      ...pools.flatMap(({ address }, at) => {
        const share = (round + at) % 3 === 0 ? 0 : 4 + ((round + at) % 7)
        return [
          call(
            current,
            address,
            encodeFunctionData({ abi, functionName: "collectProtocol", args: [donor, many, many] })
          ),
          call(
            current,
            address,
            encodeFunctionData({ abi, functionName: "setFeeProtocol", args: [share, share === 0 ? 0 : 14 - share] })
          )
        ]
      }),
      call(current, factory, encodeFunctionData({ abi, functionName: "setOwner", args: [next] }))
    ]
  }

  const create = (round: number): ReadonlyArray<Transaction> => {
    const addition = additions[round]
    if (addition === undefined) return []
    const [a, b, fee] = addition
    const [token0, token1] = pair(a, b)
    if (token0 === undefined || token1 === undefined) return []
    const price = (token0.usd / token1.usd) * 10 ** (token1.decimals - token0.decimals)
    const spacing = { 500: 10, 3000: 60, 10_000: 200 }[fee]
    const tick = Math.floor(Math.log(price) / Math.log(1.0001) / spacing) * spacing
    const provide = (width: number) =>
      call(
        whale,
        positions,
        encodeFunctionData({
          abi,
          functionName: "mint",
          args: [
            {
              token0: token0.address,
              token1: token1.address,
              fee,
              tickLower: tick - width * spacing,
              tickUpper: tick + width * spacing,
              amount0Desired: raw(token0, 1e6),
              amount1Desired: raw(token1, 1e6),
              amount0Min: 0n,
              amount1Min: 0n,
              recipient: whale,
              deadline
            }
          ]
        }),
        900_000
      )
    return [
      call(
        whale,
        positions,
        encodeFunctionData({
          abi,
          functionName: "createAndInitializePoolIfNecessary",
          args: [token0.address, token1.address, fee, BigInt(Math.floor(Math.sqrt(price) * 2 ** 96))]
        }),
        6_000_000
      ),
      ...[3, 20, 200].map(provide),
      ...thereAndBack({ token0, token1, fee, usd: 1e6 })
    ]
  }

  const createUntouched = (): Transaction => {
    const [a, b, fee] = untouched
    const args = [token(a).address, token(b).address, fee] as const
    return call(whale, factory, encodeFunctionData({ abi, functionName: "createPool", args }), 6_000_000)
  }

  /** One round: three blocks. */
  return Effect.fnUntraced(function* (round: number) {
    const half = (rest: number) => pools.filter((_, at) => at % 2 === rest)
    yield* devnet.chain.run([
      ...govern(round),
      ...half(round % 2)
        .slice(0, 2)
        .flatMap(thereAndBack)
        .slice(0, 5)
    ])
    yield* devnet.chain.run([
      ...create(round),
      ...(round === 5 ? [createUntouched()] : []),
      ...pools.map(({ address }) =>
        call(
          donor,
          address,
          encodeFunctionData({ abi, functionName: "increaseObservationCardinalityNext", args: [20 + 5 * round] }),
          400_000
        )
      )
    ])
    const target = pools[round % pools.length]
    if (target === undefined) return
    yield* devnet.chain.run([
      ...thereAndBack(target),
      ...[target.token0, target.token1].map((one) =>
        call(
          donor,
          one.address,
          encodeFunctionData({ abi, functionName: "transfer", args: [target.address, raw(one, 7 + round)] }),
          100_000
        )
      )
    ])
  })
})
