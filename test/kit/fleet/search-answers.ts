// A search among machines that answer it (search-peers.ts), in networks of their own.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Discovered } from '../../../contract/device/discovery.ts'

interface SearchOutcome {
  results: Discovered[]
  /** Packets that the firewall has dropped; undefined without one. */
  refused: number | undefined
  /** What the machines have received: probes of WS-Discovery, searches of SSDP, questions of multicast DNS for services
   * and for the port of one, and connections.
   */
  counts: Readonly<Record<'probes' | 'searches' | 'questions' | 'portQuestions' | 'connections', number>>
}

/** @param firewall `blocked`: that of the machine that searches opens no port */
export async function searchAmongPeers(firewall: 'none' | 'blocked'): Promise<SearchOutcome> {
  const script = join(import.meta.dirname, 'search-peers.sh')
  const { stdout } = await promisify(execFile)('unshare', ['--user', '--map-root-user', '--net', script, firewall])
  const [, outcome = '', counts = ''] = stdout.trim().split('\n')
  return { ...JSON.parse(outcome), counts: JSON.parse(counts) }
}

/** What a search among these machines finds. */
export const FOUND: readonly Discovered[] = [
  {
    address: '198.51.100.11',
    port: 8000,
    https: false,
    kind: 'camera',
    api: 'onvif',
    name: 'Gate 2',
    model: 'M-100',
    by: ['ws-discovery']
  },
  { address: '198.51.100.12', port: 5961, https: false, kind: 'ndi', name: 'STUDIO (Camera 1)', by: ['mdns'] },
  { address: '198.51.100.12', port: 8081, https: false, kind: 'other', name: 'Media', by: ['mdns'] }
]
