import manifest from "../../../package.json" with { type: "json" }

/** The version of the service, which a release gives to its packages, too. */
export const { version } = manifest
