// HTTPS and the ports of the hub.
import { LOG_WARNING } from '../../contract/log.ts'
import type { HostAllowList } from '../http/host-allow-list.ts'
import { WebPorts } from '../http/ports/web-ports.ts'
import type { TransportSettings } from '../http/secure/transport-policy.ts'
import type { Store } from '../store/store.ts'
import { Certificates } from '../tls/certificates.ts'
import type { HubOptions } from './options.ts'

export function createWebServices(
  store: Store,
  { data, web = {} }: HubOptions,
  hosts: Pick<HostAllowList, 'names'>,
  onPortsChange: () => void
): { webPorts: WebPorts; certificates: Certificates; transport: TransportSettings } {
  const { settings, changes, database } = store
  const onChange = () => changes.markChanged('status')
  const stored = () => settings.get('web')
  const webPorts = new WebPorts({
    stored,
    store: (value) => database.transaction(() => settings.set('web', value)),
    onChange() {
      onChange()
      onPortsChange()
    },
    onEvent: (event, detail) =>
      store.logEvent({ event, detail, ...(event === 'port-not-confirmed' && { level: LOG_WARNING }) }),
    ...(web.confirmTime !== undefined && { confirmTime: web.confirmTime })
  })
  const certificates = new Certificates({
    data,
    stored: () => ({ current: stored().pair ?? undefined, former: stored()['former-pair'] ?? undefined }),
    names: () => hosts.names(),
    onChange,
    onEvent: (event, detail) =>
      store.logEvent({ event: `certificate-${event}`, detail, ...(event !== 'created' && { level: LOG_WARNING }) }),
    ...(web.now && { now: web.now }),
    authorities: web.authorities
  })
  certificates.onReplaced((identity) => {
    for (const listener of webPorts.ports.https.listeners()) listener.replaceIdentity?.(identity)
  })
  const transport: TransportSettings = {
    redirectPort: () => (stored()['redirect-http'] ? webPorts.portOf('https') : undefined),
    hsts(name) {
      const { hsts, 'hsts-name': strictName } = stored()
      return hsts === 'on' && name !== strictName ? 'off' : hsts
    }
  }
  return { webPorts, certificates, transport }
}

export type WebServices = ReturnType<typeof createWebServices>
