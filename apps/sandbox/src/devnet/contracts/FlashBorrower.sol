// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IERC20 {
    function transfer(address to, uint256 value) external returns (bool);
}

interface IUniswapV3Pool {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function flash(address recipient, uint256 amount0, uint256 amount1, bytes calldata data) external;
}

/// Borrows from a pool and pays back in the same transaction; the fees come out of its own balance.
contract FlashBorrower {
    address private lender;

    function borrow(IUniswapV3Pool pool, uint256 amount0, uint256 amount1) external {
        lender = address(pool);
        pool.flash(address(this), amount0, amount1, abi.encode(amount0, amount1));
        lender = address(0);
    }

    function uniswapV3FlashCallback(uint256 fee0, uint256 fee1, bytes calldata data) external {
        require(msg.sender == lender, "lender");
        IUniswapV3Pool pool = IUniswapV3Pool(msg.sender);
        (uint256 amount0, uint256 amount1) = abi.decode(data, (uint256, uint256));
        if (amount0 + fee0 > 0) IERC20(pool.token0()).transfer(msg.sender, amount0 + fee0);
        if (amount1 + fee1 > 0) IERC20(pool.token1()).transfer(msg.sender, amount1 + fee1);
    }
}
