// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// Creates the pools of a PancakeSwap V3 factory, because the published deployer is in no package. The
/// constructor of a pool reads its parameters from here.
contract PoolDeployer {
    struct Parameters {
        address factory;
        address token0;
        address token1;
        uint24 fee;
        int24 tickSpacing;
    }

    Parameters public parameters;

    /// An account whose code is the creation code of a pool.
    address private immutable creation;

    constructor(address creation_) {
        creation = creation_;
    }

    function deploy(address factory, address token0, address token1, uint24 fee, int24 tickSpacing)
        external
        returns (address pool)
    {
        parameters = Parameters(factory, token0, token1, fee, tickSpacing);
        bytes memory code = creation.code;
        bytes32 salt = keccak256(abi.encode(token0, token1, fee));
        assembly {
            pool := create2(0, add(code, 32), mload(code), salt)
        }
        require(pool != address(0), "create2");
        delete parameters;
    }
}
