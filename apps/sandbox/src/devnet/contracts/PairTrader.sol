// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IToken {
    function transfer(address to, uint256 value) external returns (bool);
    function balanceOf(address account) external view returns (uint256);
}

interface IUniswapV2Pair is IToken {
    function token0() external view returns (IToken);
    function token1() external view returns (IToken);
    function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32);
    function mint(address to) external returns (uint256);
    function burn(address to) external returns (uint256, uint256);
    function swap(uint256 out0, uint256 out1, address to, bytes calldata data) external;
    function skim(address to) external;
    function sync() external;
}

/// Trades in pairs of Uniswap V2 for anyone, with its own balance. A pair takes what was sent to it before a call, so
/// that each function first sends, and then calls.
contract PairTrader {
    function mint(IUniswapV2Pair pair, uint256 amount0, uint256 amount1) external {
        pair.token0().transfer(address(pair), amount0);
        pair.token1().transfer(address(pair), amount1);
        pair.mint(address(this));
    }

    /// Burns a part of the LP tokens that the trader holds, in 1/10,000.
    function burn(IUniswapV2Pair pair, uint256 part) external {
        pair.transfer(address(pair), (pair.balanceOf(address(this)) * part) / 10_000);
        pair.burn(address(this));
    }

    function swap(IUniswapV2Pair pair, bool zeroForOne, uint256 amount) external {
        (uint256 reserve0, uint256 reserve1,) = pair.getReserves();
        (uint256 reserveIn, uint256 reserveOut) = zeroForOne ? (reserve0, reserve1) : (reserve1, reserve0);
        uint256 out = (amount * 997 * reserveOut) / (reserveIn * 1000 + amount * 997);
        (zeroForOne ? pair.token0() : pair.token1()).transfer(address(pair), amount);
        pair.swap(zeroForOne ? 0 : out, zeroForOne ? out : 0, address(this), "");
    }

    /// Borrows both tokens for the length of a call.
    function borrow(IUniswapV2Pair pair, uint256 amount0, uint256 amount1) external {
        pair.swap(amount0, amount1, address(this), "1");
    }

    function uniswapV2Call(address, uint256 amount0, uint256 amount1, bytes calldata) external {
        IUniswapV2Pair pair = IUniswapV2Pair(msg.sender);
        if (amount0 > 0) pair.token0().transfer(msg.sender, (amount0 * 1000) / 997 + 1);
        if (amount1 > 0) pair.token1().transfer(msg.sender, (amount1 * 1000) / 997 + 1);
    }

    /// Sends tokens to a pair without a call: the next call of the pair takes them.
    function donate(IUniswapV2Pair pair, uint256 amount0, uint256 amount1) external {
        if (amount0 > 0) pair.token0().transfer(address(pair), amount0);
        if (amount1 > 0) pair.token1().transfer(address(pair), amount1);
    }

    function skim(IUniswapV2Pair pair) external {
        pair.skim(address(this));
    }

    function sync(IUniswapV2Pair pair) external {
        pair.sync();
    }

    /// Sends LP tokens to an account, such as the zero address: the supply stays.
    function give(IUniswapV2Pair pair, address to, uint256 part) external {
        pair.transfer(to, (pair.balanceOf(address(this)) * part) / 10_000);
    }
}
