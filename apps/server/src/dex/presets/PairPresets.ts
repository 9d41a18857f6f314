import pancakeV2Arbitrum from "../../../presets/pancakeswap-v2/arbitrum.json" with { type: "json" }
import pancakeV2Base from "../../../presets/pancakeswap-v2/base.json" with { type: "json" }
import pancakeV2Bnb from "../../../presets/pancakeswap-v2/bnb.json" with { type: "json" }
import pancakeV2Ethereum from "../../../presets/pancakeswap-v2/ethereum.json" with { type: "json" }
import uniswapV2Arbitrum from "../../../presets/uniswap-v2/arbitrum.json" with { type: "json" }
import uniswapV2Avalanche from "../../../presets/uniswap-v2/avalanche.json" with { type: "json" }
import uniswapV2Base from "../../../presets/uniswap-v2/base.json" with { type: "json" }
import uniswapV2Bnb from "../../../presets/uniswap-v2/bnb.json" with { type: "json" }
import uniswapV2Ethereum from "../../../presets/uniswap-v2/ethereum.json" with { type: "json" }
import uniswapV2Optimism from "../../../presets/uniswap-v2/optimism.json" with { type: "json" }
import uniswapV2Polygon from "../../../presets/uniswap-v2/polygon.json" with { type: "json" }

/** The files of the presets whose pools are pairs: of Uniswap V2, and of PancakeSwap V2. */
export const pairPresets: ReadonlyArray<unknown> = [
  pancakeV2Ethereum,
  pancakeV2Bnb,
  pancakeV2Arbitrum,
  pancakeV2Base,
  uniswapV2Ethereum,
  uniswapV2Arbitrum,
  uniswapV2Optimism,
  uniswapV2Base,
  uniswapV2Polygon,
  uniswapV2Bnb,
  uniswapV2Avalanche
]
