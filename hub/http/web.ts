// Creates the ports of the hub, the names under which it answers, and its certificates.
import { LOG_WARNING } from '../../contract/log.ts'
import { Certificates } from '../../tls/certificates.ts'
import { HostAllowList } from '../../web-server/host-allow-list.ts'
import { isLoopback } from '../../web-server/host-header.ts'
import type { Lifetime } from '../lifetime.ts'
import type { SettingsStore } from '../store/settings.ts'
import type { Store } from '../store/store.ts'
import { WebPorts } from './ports/web-ports.ts'
import type { TransportSettings } from './secure/transport-policy.ts'

interface WebOptions {
  store: Store
  lifetime: Lifetime
  /** Data folder; `:memory:` keeps nothing. */
  data: string
  /** Address on which all ports listen. */
  host: string
  /** Names under which the hub answers, besides those of the machine and of the settings. */
  names: readonly string[]
  /**
   * For tests: the clock of certificates, PEM certificates of trusted authorities, and milliseconds to confirm a new
   * port.
   */
  timing?: { now?: () => number; authorities?: readonly string[]; confirmTime?: number } | undefined
}

/**
 * Whether pages are redirected without anybody having chosen it: the certificate in use is trusted, and a client on
 * another machine has signed in over HTTPS with it, which shows that HTTPS can be reached.
 */
export function redirectsByDefault(settings: SettingsStore, certificates: Certificates): boolean {
  const fingerprint = certificates.fingerprint()
  if (settings.get('web')['redirect-off'] || !certificates.isTrusted()) return false
  return fingerprint !== undefined && fingerprint === settings.get('https-served')
}

export function createWeb({ store, lifetime, data, host, names, timing = {} }: WebOptions) {
  const { settings, changes, database } = store
  const stored = () => settings.get('web')
  const markChanged = () => changes.markChanged('status')
  const hosts = new HostAllowList({
    listenHost: host,
    fixedNames: names,
    configuredNames: () => settings.get('hosts').names
  })
  const webPorts = new WebPorts({
    stored,
    store: (value) => database.transaction(() => settings.set('web', value)),
    onEvent: (event, detail) =>
      store.logEvent({ event, detail, ...(event === 'port-not-confirmed' && { level: LOG_WARNING }) }),
    ...(timing.confirmTime !== undefined && { confirmTime: timing.confirmTime })
  })
  webPorts.changed.on(markChanged)
  const certificates = lifetime.add(
    new Certificates({
      data,
      stored: () => ({ current: stored().pair ?? undefined, former: stored()['former-pair'] ?? undefined }),
      names: () => hosts.names(),
      onChange: markChanged,
      onEvent: (event, detail) =>
        store.logEvent({ event: `certificate-${event}`, detail, ...(event !== 'created' && { level: LOG_WARNING }) }),
      ...(timing.now && { now: timing.now }),
      authorities: timing.authorities
    })
  )
  certificates.onReplaced((identity) => {
    for (const listener of webPorts.ports.https.listeners()) listener.replaceIdentity?.(identity)
  })
  const transport: TransportSettings = {
    redirectPort(name, localPort) {
      // A certificate that browsers refuse, and a port on trial, must be reachable without HTTPS.
      const isBroken = certificates.isDamaged() || (certificates.remaining() ?? 0) <= 0
      if (isBroken || (localPort !== undefined && webPorts.trial()?.port === localPort)) return undefined
      const isDefault = redirectsByDefault(settings, certificates) && certificates.hasTrustedName(name)
      return stored()['redirect-http'] || isDefault ? webPorts.portOf('https') : undefined
    },
    sessionServed(name, address) {
      const fingerprint = certificates.fingerprint()
      if (isLoopback(address) || name === undefined || !certificates.hasTrustedName(name)) return
      if (fingerprint === settings.get('https-served')) return
      database.transactionOrLater(() => settings.set('https-served', fingerprint ?? ''))
      markChanged()
    },
    hsts(name) {
      const { hsts, 'hsts-name': strictName } = stored()
      return hsts === 'on' && name !== strictName ? 'off' : hsts
    }
  }
  return { hosts, webPorts, certificates, transport }
}
