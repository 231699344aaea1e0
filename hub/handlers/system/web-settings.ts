// The part `web` of the settings: HTTPS, its certificate, and the ports of the hub.
import { CERTIFICATE_WARNING_DAYS, type HttpsState } from '../../../contract/web/certificate.ts'
import type { WebSettings } from '../../../contract/web/settings.ts'
import type { Certificates } from '../../../tls/certificates.ts'
import { hostNameOf, isHostName } from '../../../web-server/host-header.ts'
import type { WebPorts } from '../../http/ports/web-ports.ts'
import { redirectsByDefault } from '../../http/web.ts'
import type { Store } from '../../store/store.ts'

interface WebSettingsParts {
  store: Store
  webPorts: WebPorts
  certificates: Certificates
}

const WARNING_TIME = CERTIFICATE_WARNING_DAYS * 86_400_000

/** The state of HTTPS. */
export function httpsState({ webPorts, certificates }: { webPorts: WebPorts; certificates: Certificates }): HttpsState {
  if (!webPorts.isHttpsEnabled()) return 'disabled'
  const remaining = certificates.remaining()
  if (webPorts.portOf('https') === undefined || remaining === undefined) return 'failed'
  if (certificates.describe()?.['self-signed']) return 'self-signed'
  if (remaining <= 0) return 'expired'
  return remaining < WARNING_TIME ? 'expiring' : 'enabled'
}

/**
 * HTTPS and the ports as they are.
 * @param host Host header of the request
 */
export function describeWeb(parts: WebSettingsParts, host: string | null): WebSettings {
  const { webPorts, certificates, store } = parts
  const { pair, 'redirect-http': redirect, hsts } = store.settings.get('web')
  const ports = (['http', 'https', 'link', 'files'] as const).flatMap((name) => {
    // While HTTPS is off, the port that it will have.
    const isOff = name === 'https' && !webPorts.isHttpsEnabled() && webPorts.portOf('http') !== undefined
    const port = isOff ? webPorts.settingOf(name) : webPorts.portOf(name)
    return port === undefined ? [] : [[`${name}-port`, port] as const]
  })
  const certificate = certificates.describe()
  const name = hostNameOf(host) ?? ''
  return {
    ...Object.fromEntries(ports),
    'enable-https': webPorts.isHttpsEnabled(),
    'redirect-http': redirect || (webPorts.isHttpsEnabled() && redirectsByDefault(store.settings, certificates)),
    hsts: hsts === 'on',
    'can-hsts': isHostName(name) && certificates.hasTrustedName(name),
    'https-state': httpsState(parts),
    ...(certificate && {
      certificate,
      'is-cert-valid': (certificates.remaining() ?? 0) > 0,
      'is-cert-key-valid': true
    }),
    ...(pair && { 'cert-path': pair.cert, 'cert-key-path': pair.key }),
    ...(certificates.isDamaged() && { 'cert-damaged': true })
  }
}
