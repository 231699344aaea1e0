// Which inputs and outputs connect to TLS servers, and how they check the certificates.
import { HTTP, RTMP } from './protocols.ts'
import { isFault, parseSourceUrl } from './source-url.ts'

/** Values of `certificate-check`. Absent: `verify`. */
export const CERTIFICATE_CHECKS = ['verify', 'own-ca', 'accept-any'] as const
export type CertificateCheck = (typeof CERTIFICATE_CHECKS)[number]

/** The settings of an input or output. */
export interface CheckSettings {
  'certificate-check'?: CertificateCheck | undefined
  'trusted-certificates'?: string | undefined
}

/** Whether the source or target with a URL can be a TLS server. A server over HTTP can redirect to one. */
export function canUseTls(url: string): boolean {
  const parsed = parseSourceUrl(url)
  return !isFault(parsed) && (parsed.protocol === HTTP || (parsed.protocol === RTMP && parsed.scheme === 'rtmps'))
}

/** Whether an input or output with this configuration accepts any certificate of its TLS server. */
export function acceptsAnyCertificate(config: object): boolean {
  const { 'certificate-check': check, url = '' } = config as CheckSettings & { url?: string }
  return check === 'accept-any' && /^(rtmps|https):/i.test(url)
}
