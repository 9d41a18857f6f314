// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
}

interface IPancakeV3Pool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function positions(bytes32 key) external view returns (uint128 liquidity, uint256, uint256, uint128, uint128);
    function mint(address recipient, int24 lower, int24 upper, uint128 amount, bytes calldata data) external;
    function burn(int24 lower, int24 upper, uint128 amount) external;
    function collect(address recipient, int24 lower, int24 upper, uint128 amount0, uint128 amount1) external;
    function swap(address recipient, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data) external;
    function flash(address recipient, uint256 amount0, uint256 amount1, bytes calldata data) external;
}

/// Trades in pools of PancakeSwap V3 for anyone, with its own balance: the published manager of positions and the
/// router are in no package.
contract PoolTrader {
    /// The pool that may ask for a payment.
    address private creditor;

    modifier paying(IPancakeV3Pool pool) {
        creditor = address(pool);
        _;
        creditor = address(0);
    }

    function mint(IPancakeV3Pool pool, int24 lower, int24 upper, uint128 amount) external paying(pool) {
        pool.mint(address(this), lower, upper, amount, "");
    }

    /// Burns a part of a position, in percent. Does nothing if there is no such position.
    function burn(IPancakeV3Pool pool, int24 lower, int24 upper, uint128 percent) external {
        (uint128 liquidity,,,,) = pool.positions(keccak256(abi.encodePacked(address(this), lower, upper)));
        if (liquidity > 0) pool.burn(lower, upper, uint128((uint256(liquidity) * percent) / 100));
    }

    function collect(IPancakeV3Pool pool, int24 lower, int24 upper) external {
        pool.collect(address(this), lower, upper, type(uint128).max, type(uint128).max);
    }

    /// `amount` is the input, or the output if it is negative.
    function swap(IPancakeV3Pool pool, bool zeroForOne, int256 amount, uint160 limit) external paying(pool) {
        pool.swap(address(this), zeroForOne, amount, limit, "");
    }

    function flash(IPancakeV3Pool pool, uint256 amount0, uint256 amount1) external paying(pool) {
        pool.flash(address(this), amount0, amount1, abi.encode(amount0, amount1));
    }

    function pancakeV3MintCallback(uint256 owed0, uint256 owed1, bytes calldata) external {
        pay(owed0, owed1);
    }

    function pancakeV3SwapCallback(int256 delta0, int256 delta1, bytes calldata) external {
        pay(delta0 > 0 ? uint256(delta0) : 0, delta1 > 0 ? uint256(delta1) : 0);
    }

    function pancakeV3FlashCallback(uint256 fee0, uint256 fee1, bytes calldata data) external {
        (uint256 amount0, uint256 amount1) = abi.decode(data, (uint256, uint256));
        pay(amount0 + fee0, amount1 + fee1);
    }

    function pay(uint256 amount0, uint256 amount1) private {
        require(msg.sender == creditor, "creditor");
        if (amount0 > 0) IERC20(IPancakeV3Pool(msg.sender).token0()).transfer(msg.sender, amount0);
        if (amount1 > 0) IERC20(IPancakeV3Pool(msg.sender).token1()).transfer(msg.sender, amount1);
    }
}
