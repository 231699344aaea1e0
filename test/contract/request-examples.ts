// Valid requests of every call: those of its declaration, and further ones at the limits.

import type { Call } from '../../contract/call.ts'
import { type CallName, schemaOf } from '../../contract/calls.schema.ts'
import { FIREWALL_RULES_MAX } from '../../contract/limits.ts'
import { RTMP } from '../../contract/stream/protocols.ts'
import { listDeclaredCalls, nameOfCall } from '../../make/wire/declared-calls.ts'

export const rtmpOutput = { name: 'Live', protocol: RTMP, config: { url: 'rtmp://a.example/live' } }
export const fullRtmpConfig = {
  ...rtmpOutput.config,
  key: 'k',
  'enable-auth': true,
  username: 'me',
  password: 'secret'
}

const serials = { sn: Array(1000).fill('a-_9'.repeat(16)) }

const preset = {
  name: 'Camera 1',
  ndi: {
    name: 'STUDIO (Cam 1)',
    url: '192.0.2.9:5961',
    group: 'public,stage',
    'transport-mode': 5,
    'mcast-ip': '239.1.2.3',
    'mcast-sub-mask': '255.255.255.0',
    'mcast-time-to-live': 255,
    'extra-ips': ['192.0.2.7'],
    'low-bw': true,
    'discovery-server': ['192.0.2.8:5959', 'ndi.example.com'],
    'buffer-ms': 2000
  },
  force: true
}

const channelConfig = {
  'play-key': 'k'.repeat(256),
  'push-key': 'p',
  ndi: { enable: true, group: 'public', 'transport-mode': 1, 'mcast-time-to-live': 1 },
  protocol: { rtmp: false, srt: true },
  'allow-ip': ['10.0.0.0/8', '192.168.1.7'],
  'replace-publisher': true,
  backups: [1001, 1002],
  switch: { 'after-s': 60, back: 'never', 'back-after-s': 5 },
  slate: true,
  schedule: {
    zone: 'Europe/Berlin',
    rules: [{ days: 127, start: '23:59', stop: '00:00' }],
    events: [{ start: '2026-11-29T09:30', stop: '2026-11-29T11:00' }]
  }
}

const side = Array.from({ length: 64 }, (_, index) => index + 1)
const matrix = {
  name: 'x'.repeat(64),
  machine: 'x'.repeat(40),
  sources: side.map((index) => ({ label: 'x'.repeat(64), name: `HALL (Cam ${index})` })),
  destinations: side.map(() => ({ label: 'x'.repeat(64) }))
}
const panel = { enable: true, port: 9990, 'allow-ip': ['192.0.2.0/24'], destinations: side }
const takes = side.map((destination) => ({ destination, source: 64 }))

const firewallRules = Array.from({ length: FIREWALL_RULES_MAX }, (_, index) => ({
  port: `${index + 1}-65535`,
  protocol: 2,
  remark: 'x'.repeat(64),
  enable: true
}))

const AT_THE_LIMITS: Partial<Record<CallName, object>> = {
  'POST /device/list': serials,
  'POST /device/accept': serials,
  'POST /device/reject': serials,
  'POST /device/del': serials,
  'POST /ndi/preset/add': preset,
  'POST /ndi/preset/set': { id: 1, ...preset },
  'POST /channel/set': { id: 1, name: 'Hall', config: channelConfig },
  'POST /ndi/router/add': matrix,
  'POST /ndi/router/set': { id: 1, ...matrix, panel, force: true },
  'POST /ndi/router/route': { id: 1, takes, override: true, at: 1_900_000_000, name: 'News', revision: 1_772_000_000 },
  'POST /ndi/router/salvo/add': { id: 1, name: 'x'.repeat(64), takes },
  'POST /ndi/router/salvo/set': { id: 1, salvo: 1, name: 'News', takes },
  'POST /firewall/set': { mode: -1, rules: firewallRules, force: true, revision: 'kJ3-0q_XbT9wLr2Z' }
}

function examplesOf(call: Call): object[] {
  const further = AT_THE_LIMITS[nameOfCall(call) as CallName]
  return [...(schemaOf(call)?.examples ?? []), ...(further ? [further] : [])]
}

/** Valid requests by call. The first one has the required fields only. */
export const EXAMPLES: ReadonlyMap<Call, object[]> = new Map(
  listDeclaredCalls().map((call) => [call, examplesOf(call)])
)
