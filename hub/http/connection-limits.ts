// Limits of the connections to the web server. They depend on the descriptors that the system allows the process, because devices, streams
// and the database need some, too.
import { readFileSync } from 'node:fs'
import type { ConnectionLimits } from '../../engine/access/connection-table.ts'

/** Descriptors that are assumed where the system does not tell: the usual limit of a service. */
const DESCRIPTORS_DEFAULT = 1024

/** Shares of the descriptors, and the most connections with any number of them. */
const STRANGERS = { share: 1 / 8, max: 1024, perNetwork: 128 }
const KNOWN = { share: 1 / 2, max: 8192, perNetwork: 1024 }

/** The number of descriptors that the process may have open. */
export function descriptorLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(limit) || DESCRIPTORS_DEFAULT
  } catch {
    return DESCRIPTORS_DEFAULT
  }
}

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
