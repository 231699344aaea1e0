export const OWN_NAMES: readonly string[]
