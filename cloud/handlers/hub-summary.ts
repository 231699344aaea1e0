// What the cloud says of a hub from its last digest, and whether that is current. A hub that is offline keeps its last
// digest, for which nobody vouches any more.
import { CHANNEL_VIEW, DEVICE_VIEW, isPermitted } from '../../contract/access/permissions.ts'
import type { HubSummary } from '../../contract/cloud/calls.ts'
import { DIGEST_SILENCE_MAX } from '../../contract/cloud/digest.ts'
import type { HubRow } from '../auth/hub-access.ts'
import type { Caller } from '../auth/sessions.ts'
import { REWRITE_INTERVAL } from '../digests/digests.ts'
import type { ReceivedDigest, StoredDigests } from '../digests/stored-digests.ts'
import type { Scope } from '../store/scope.ts'

export interface SummaryParts {
  links: { isOnline(organisation: string, sn: string): boolean }
  digests: {
    receivedAt(organisation: string, sn: string): number
    /** Whether the hub has connected a moment ago, and has not had time to send its digest. */
    isConnecting(organisation: string, sn: string): boolean
  }
  storedDigests: StoredDigests
  now: () => number
}

/** An accepted hub, as the pages show it. */
export interface ObservedHub {
  row: HubRow
  name: string
  isOnline: boolean
  /** Its last digest. */
  digest: ReceivedDigest | undefined
  /** The digest is current. */
  isConfirmed: boolean
  isConnecting: boolean
}

/** Adds the connection state and the last digest to the rows of hubs of one organisation. */
export async function observeHubs(
  { links, digests, storedDigests, now }: SummaryParts,
  scope: Scope,
  rows: readonly HubRow[]
): Promise<ObservedHub[]> {
  const { organisation } = scope
  const stored = await storedDigests.read(scope)
  const time = now()
  return rows.map((row) => {
    const { sn } = row
    const isOnline = links.isOnline(organisation, sn)
    const digest = stored.get(sn)
    const receivedHere = digests.receivedAt(organisation, sn)
    // Another node writes the time of its digests once a minute.
    const isRecent = receivedHere
      ? time - receivedHere <= DIGEST_SILENCE_MAX
      : digest !== undefined && time - digest.received <= DIGEST_SILENCE_MAX + REWRITE_INTERVAL
    return {
      ...{ row, isOnline, name: row.label || row.name },
      digest: digest && { ...digest, received: Math.max(digest.received, receivedHere) },
      isConfirmed: isOnline && isRecent && digest !== undefined,
      isConnecting: digests.isConnecting(organisation, sn)
    }
  })
}

/** @returns what the caller may see of the digest as a whole */
export function summarize({ row, digest, isOnline, isConfirmed }: ObservedHub, { user }: Caller): HubSummary {
  const { health, counts } = digest?.hub ?? {}
  const since = isOnline ? isConfirmed && health?.since : row.last_seen
  return {
    verdict: !isOnline ? 'offline' : isConfirmed ? (health?.verdict ?? 'unknown') : 'unknown',
    confirmed: isConfirmed,
    ...(since && { since }),
    ...(isConfirmed && health?.reason && { reason: health.reason }),
    ...(digest && { received: digest.received }),
    ...(digest && counts && (digest.partial || counts.channels > digest.channels.length) && { partial: true }),
    ...(counts && isPermitted(CHANNEL_VIEW, user) && { verdicts: counts.verdicts, bad: counts.bad, warn: counts.warn }),
    ...(counts &&
      isPermitted(DEVICE_VIEW, user) && { devices: counts.devices, 'devices-offline': counts['devices-offline'] })
  }
}
