// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
}

interface IAlgebraPool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function positions(bytes32 key) external view returns (uint256 liquidity);
    function mint(address payer, address recipient, int24 lower, int24 upper, uint128 amount, bytes calldata data)
        external;
    function collect(address recipient, int24 lower, int24 upper, uint128 amount0, uint128 amount1) external;
    function swap(address recipient, bool zeroToOne, int256 amount, uint160 limit, bytes calldata data) external;
    function flash(address recipient, uint256 amount0, uint256 amount1, bytes calldata data) external;
}

/// Of Algebra 1.0 and 2.0.
interface IAlgebraPool2 {
    function burn(int24 lower, int24 upper, uint128 amount) external;
    function swapSupportingFeeOnInputTokens(
        address payer, address recipient, bool zeroToOne, int256 amount, uint160 limit, bytes calldata data
    ) external;
}

/// Of Algebra Integral.
interface IAlgebraIntegralPool {
    function burn(int24 lower, int24 upper, uint128 amount, bytes calldata data) external;
    function swapWithPaymentInAdvance(
        address payer, address recipient, bool zeroToOne, int256 amount, uint160 limit, bytes calldata data
    ) external;
}

/// Trades in pools of Algebra for anyone, with its own balance. Each call but `poke` leaves an event of the pool, or
/// changes nothing.
contract AlgebraTrader {
    bool private immutable isIntegral;

    /// The pool that may ask for a payment.
    address private creditor;

    constructor(bool isIntegral_) {
        isIntegral = isIntegral_;
    }

    modifier paying(address pool) {
        creditor = pool;
        _;
        creditor = address(0);
    }

    function mint(address pool, int24 lower, int24 upper, uint128 amount) external paying(pool) {
        IAlgebraPool(pool).mint(address(this), address(this), lower, upper, amount, "");
    }

    /// An order of Algebra 2.0, which is filled at this tick. Does nothing if the pool accepts none there at the moment.
    function order(address pool, int24 tick, uint128 amount) external paying(pool) {
        try IAlgebraPool(pool).mint(address(this), address(this), tick, tick, amount, "") {} catch {}
    }

    /// Burns a part of a position, in percent. Does nothing if there is no such position.
    function burn(address pool, int24 lower, int24 upper, uint128 percent) external {
        uint256 amount = (liquidityOf(pool, lower, upper) * percent) / 100;
        if (amount > 0) burnAmount(pool, lower, upper, uint128(amount));
    }

    /// Cancels a part of what is left of an order, in percent. Does nothing if nothing is left.
    function cancel(address pool, int24 tick, uint128 percent) external {
        try this.cancelOrRevert(pool, tick, percent) {} catch {}
    }

    function cancelOrRevert(address pool, int24 tick, uint128 percent) external {
        // Brings the position up to date.
        burnAmount(pool, tick, tick, 0);
        uint256 amount = ((liquidityOf(pool, tick, tick) >> 128) * percent) / 100;
        require(amount > 0, "nothing");
        burnAmount(pool, tick, tick, uint128(amount));
    }

    /// Burns nothing of a position: the pool distributes what it has received without a call.
    function poke(address pool, int24 lower, int24 upper) external {
        burnAmount(pool, lower, upper, 0);
    }

    function collect(address pool, int24 lower, int24 upper) external {
        IAlgebraPool(pool).collect(address(this), lower, upper, type(uint128).max, type(uint128).max);
    }

    /// `amount` is the input, or the output if it is negative.
    function swap(address pool, bool zeroToOne, int256 amount, uint160 limit) external paying(pool) {
        IAlgebraPool(pool).swap(address(this), zeroToOne, amount, limit, "");
    }

    /// Pays before the pool calculates the swap.
    function swapPaid(address pool, bool zeroToOne, int256 amount, uint160 limit) external paying(pool) {
        if (isIntegral) {
            IAlgebraIntegralPool(pool)
                .swapWithPaymentInAdvance(address(this), address(this), zeroToOne, amount, limit, "");
        } else {
            IAlgebraPool2(pool)
                .swapSupportingFeeOnInputTokens(address(this), address(this), zeroToOne, amount, limit, "");
        }
    }

    function flash(address pool, uint256 amount0, uint256 amount1) external paying(pool) {
        IAlgebraPool(pool).flash(address(this), amount0, amount1, abi.encode(amount0, amount1));
    }

    /// Sends tokens without a call of the pool.
    function donate(address pool, uint256 amount0, uint256 amount1) external {
        send(pool, amount0, amount1);
    }

    function algebraMintCallback(uint256 owed0, uint256 owed1, bytes calldata) external {
        pay(owed0, owed1);
    }

    function algebraSwapCallback(int256 delta0, int256 delta1, bytes calldata) external {
        pay(delta0 > 0 ? uint256(delta0) : 0, delta1 > 0 ? uint256(delta1) : 0);
    }

    function algebraFlashCallback(uint256 fee0, uint256 fee1, bytes calldata data) external {
        (uint256 amount0, uint256 amount1) = abi.decode(data, (uint256, uint256));
        pay(amount0 + fee0, amount1 + fee1);
    }

    /// The key of a position holds its owner and both bounds.
    function liquidityOf(address pool, int24 lower, int24 upper) private view returns (uint256 liquidity) {
        uint256 bounds = (uint256(uint24(lower)) << 24) | uint256(uint24(upper));
        liquidity = IAlgebraPool(pool).positions(bytes32((uint256(uint160(address(this))) << 48) | bounds));
    }

    function burnAmount(address pool, int24 lower, int24 upper, uint128 amount) private {
        if (isIntegral) IAlgebraIntegralPool(pool).burn(lower, upper, amount, "");
        else IAlgebraPool2(pool).burn(lower, upper, amount);
    }

    function pay(uint256 amount0, uint256 amount1) private {
        require(msg.sender == creditor, "creditor");
        send(msg.sender, amount0, amount1);
    }

    function send(address pool, uint256 amount0, uint256 amount1) private {
        if (amount0 > 0) IERC20(IAlgebraPool(pool).token0()).transfer(pool, amount0);
        if (amount1 > 0) IERC20(IAlgebraPool(pool).token1()).transfer(pool, amount1);
    }
}
