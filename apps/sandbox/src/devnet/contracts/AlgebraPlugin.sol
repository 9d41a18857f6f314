// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IAlgebraFactory {
    function createCustomPool(address deployer, address creator, address tokenA, address tokenB, bytes calldata data)
        external;
}

/// A plugin for pools of Algebra Integral whose fees differ from swap to swap, and a deployer of custom pools that
/// have it from the start.
contract AlgebraPlugin {
    /// Before swaps, before changes of positions, and with fees of its own.
    uint8 public constant defaultPluginConfig = 133;

    uint256 private calls;

    /// Another fee in most calls: every third swap has no fee of its own.
    function beforeSwap(address, address, bool, int256, uint160, bool, bytes calldata)
        external
        returns (bytes4, uint24 overrideFee, uint24 pluginFee)
    {
        calls += 1;
        overrideFee = calls % 3 == 0 ? 0 : uint24((calls % 7) * 1000);
        pluginFee = uint24((calls % 5) * 150);
        return (this.beforeSwap.selector, overrideFee, pluginFee);
    }

    function beforeModifyPosition(address, address, int24, int24, int128 delta, bytes calldata)
        external
        returns (bytes4, uint24 pluginFee)
    {
        calls += 1;
        return (this.beforeModifyPosition.selector, delta < 0 ? uint24((calls % 4) * 2000) : 0);
    }

    function handlePluginFee(uint256, uint256) external pure returns (bytes4) {
        return this.handlePluginFee.selector;
    }

    function beforeInitialize(address, uint160) external pure returns (bytes4) {
        return this.beforeInitialize.selector;
    }

    function beforeCreatePoolHook(address, address, address, address, address, bytes calldata)
        external
        view
        returns (address)
    {
        return address(this);
    }

    function afterCreatePoolHook(address, address, address) external {}

    function createPool(address factory, address tokenA, address tokenB) external {
        IAlgebraFactory(factory).createCustomPool(address(this), msg.sender, tokenA, tokenB, "");
    }
}
