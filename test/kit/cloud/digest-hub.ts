// Clients that register like hubs, are accepted, and send digests.
import type { ServerHttp2Stream } from 'node:http2'
import { acceptHubs, getInvitation } from '../../../contract/cloud/calls.ts'
import type { DigestChannel, DigestCounts, DigestLine, DigestProblem } from '../../../contract/cloud/digest.ts'
import { until } from '../until.ts'
import type { CloudClient } from './cloud.ts'
import { type FakeHub, type FakeHubOptions, helloOf, startFakeHub } from './fake-hub.ts'

export interface DigestHub extends FakeHub {
  sn: string
  /** The stream of the digest that the cloud has opened last. */
  stream: ServerHttp2Stream | undefined
  /** Streams that the cloud has opened. */
  opened: number
  send(line: Partial<DigestLine>): void
}

/** Registers a hub, accepts it, and waits until the cloud has asked for its digest. */
export async function startDigestHub(
  admin: CloudClient,
  linkPort: number,
  sn: string,
  options: FakeHubOptions = {}
): Promise<DigestHub> {
  const { invitation } = await admin.send(getInvitation, {})
  const own = {
    sn,
    opened: 0,
    stream: undefined as ServerHttp2Stream | undefined,
    send: (line: Partial<DigestLine>) => void own.stream?.write(`${JSON.stringify({ now: Date.now(), ...line })}\n`)
  }
  const hub = startFakeHub(linkPort, () => helloOf(invitation, sn), {
    ...options,
    onDigest(stream) {
      own.stream = stream
      own.opened++
    }
  })
  await until(() => hub.states.includes(103), 'pending')
  await until(async () => {
    await admin.send(acceptHubs, { sn: [sn] })
    return own.stream
  }, 'the cloud asks for the digest')
  return Object.assign(own, hub)
}

export const channelOf = (id: number, name: string, verdict: DigestChannel['verdict'] = 'on-air'): DigestChannel => ({
  ...{ id, name, verdict },
  since: Date.now() - 60_000
})

export const problemOf = (id: number, name: string): DigestProblem => ({
  ...{ id: `channel-${id}`, kind: 'channel', severity: 'bad', name, since: Date.now() - 5000, reason: 'no-data' },
  channel: id
})

/** The first line of a digest. */
export function wholeDigest(
  channels: DigestChannel[],
  problems: DigestProblem[] = [],
  counts: Partial<DigestCounts> = {}
): Partial<DigestLine> {
  const verdicts: Partial<Record<DigestChannel['verdict'], number>> = {}
  for (const { verdict } of channels) verdicts[verdict] = (verdicts[verdict] ?? 0) + 1
  const none = { devices: 0, 'devices-offline': 0, warn: 0 }
  return {
    reset: true,
    hub: {
      name: 'Hub',
      version: '1.0.0',
      health: { verdict: 'online' },
      counts: { ...none, channels: channels.length, verdicts, bad: problems.length, ...counts }
    },
    channels,
    problems
  }
}
