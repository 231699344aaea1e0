let lastId = 0

/** Returns an ID for a new receiver at a relay, unique in this process. */
export const nextRelayId = (): number => ++lastId
