// Optional features of a hub (docs/wire.md, "Settings").

/** Bits of `feature-support`. */
export const FEATURE_BITS = { ndiRouter: 0x1 } as const
