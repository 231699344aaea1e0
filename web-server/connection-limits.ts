// Limits of the connections to the web server. They depend on the descriptors that the system allows the process,
// because devices, streams and the database need some, too.
import type { ConnectionLimits } from '../engine/access/connection-table.ts'
import { descriptorLimit } from './descriptors.ts'

/** Shares of the descriptors, and the most connections with any number of them. */
const STRANGERS = { share: 1 / 8, max: 1024, perNetwork: 128 }
const KNOWN = { share: 1 / 2, max: 8192, perNetwork: 1024 }

export function connectionLimits(descriptors = descriptorLimit()): ConnectionLimits {
  const countOf = ({ share, max }: typeof STRANGERS) => Math.max(16, Math.min(max, Math.floor(descriptors * share)))
  const [strangers, known] = [countOf(STRANGERS), countOf(KNOWN)]
  return {
    strangers,
    strangersPerNetwork: Math.min(STRANGERS.perNetwork, Math.ceil(strangers / 2)),
    known,
    knownPerNetwork: Math.min(KNOWN.perNetwork, Math.ceil(known / 2))
  }
}
