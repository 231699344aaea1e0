// The status of the hub: the data of the dashboard and of the badges in the menu.
import type { Call } from '../../contract/call.ts'
import { BADGE_CAP_DEVICES, BADGE_CAP_FLAG } from '../../contract/limits.ts'
import { SYSTEM_STATUS_BITS, type SystemStatus, systemStatus } from '../../contract/system.ts'
import { confirmUpdate } from '../../contract/update.ts'
import { transport } from '../link/fetch-json.ts'
import { apiUrl } from '../link/relay.ts'
import { send } from '../link/send.ts'
import { $clockOffset } from '../ui/clock.ts'
import { createLiveValue } from './live-value.ts'
import { applyDataSaverDefault } from './previews.ts'
import { applyStatusRules, extendSession } from './session.ts'

export const $system = createLiveValue({ call: systemStatus, pace: 'slower', topic: 'status' }, ({ status }) => {
  const { info } = status.system
  extendSession(info['expired-time'])
  applyStatusRules(status['pwd-rule'])
  applyDataSaverDefault(info['data-saver'])
  // Confirms a console update: the new console has started and reached the hub (docs/wire.md, "Console updates").
  const script = info['console-trial']
  if (script && window.pageLoader?.script.endsWith(script)) void send(confirmUpdate, { script })
  // The hub sends whole seconds, so that a smaller offset than two seconds is not significant.
  const offset = info['date-time'] * 1000 - Date.now()
  $clockOffset.set(Math.abs(offset) < 2000 ? 0 : offset)
})

/**
 * Origin at which the hub serves HLS and downloads: its port for files, or that of the console if a browser does not
 * reach the other one: behind TLS, behind a cloud relay, and while the port is closed.
 * @param host name or address of the hub
 */
export function filesOrigin(host = location.hostname): string {
  const port = $system.get().value?.status.system.ports?.files?.port
  return port && location.protocol === 'http:' && !transport.relayedHub
    ? `http://${host}:${port}`
    : location.origin.replace(location.hostname, host)
}

/** URL of a call that returns a file. The session cookie, which all ports of a host share, authenticates it. */
export function downloadUrl({ path }: Call, query: object): string {
  const url = apiUrl(path, query)
  return url.startsWith('/') ? filesOrigin() + url : url
}

export interface Badges {
  pending: number
  warnings: number
  /** Problems that nobody has acknowledged. */
  problems: number
  /** The SRT server failed to start. */
  channels: number
  /** A new version exists. */
  upgrade: number
}

/** Counts of the badges in the menu, capped; 0 = no badge. */
export function badgesOf(response: { status: SystemStatus } | undefined): Badges {
  const { device, status, problem } = response?.status.system ?? {}
  const code = status?.['status-code'] ?? 0
  return {
    pending: Math.min(device?.['num-pending'] ?? 0, BADGE_CAP_DEVICES),
    problems: Math.min(problem?.['num-new'] ?? 0, BADGE_CAP_DEVICES),
    warnings: Math.min(device?.['num-warn'] ?? 0, BADGE_CAP_DEVICES),
    channels: Math.min(code & SYSTEM_STATUS_BITS.srtFailed, BADGE_CAP_FLAG),
    upgrade: Math.min(code & SYSTEM_STATUS_BITS.newVersion, BADGE_CAP_FLAG)
  }
}
