// Settings of the certificate check of an input or output, as they are stored.
import { X509Certificate } from 'node:crypto'
import { INVALID_ARG } from '../../../contract/codes.ts'
import { type CheckSettings, canUseTls } from '../../../contract/stream/certificate-check.ts'
import { CallError } from '../../http/handler.ts'

const CERTIFICATE_BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

function fail(fault: string): never {
  throw new CallError(INVALID_ARG, { field: 'config.trusted-certificates', fault })
}

/** The certificates of a text in PEM, without other text. @throws CallError 7 if one of them cannot be read */
function readCertificates(text: string): string {
  const blocks = text.match(CERTIFICATE_BLOCK) ?? []
  if (blocks.length === 0) fail('certificate')
  for (const block of blocks)
    try {
      new X509Certificate(block)
    } catch {
      fail('certificate')
    }
  return blocks.join('\n')
}

/**
 * The settings to store. What a request leaves out is not changed; what does not apply is not stored.
 * @param url of the source or target
 * @param previous settings of the existing input or output
 * @throws CallError 7 if the trusted certificates are missing or cannot be read
 */
export function storedCertificateCheck(
  url: string,
  requested: CheckSettings,
  previous: CheckSettings = {}
): CheckSettings {
  const check = requested['certificate-check'] ?? previous['certificate-check'] ?? 'verify'
  // No value means `verify`.
  if (!canUseTls(url) || check === 'verify') return {}
  if (check === 'accept-any') return { 'certificate-check': check }
  const trusted = requested['trusted-certificates'] || previous['trusted-certificates']
  if (!trusted) return fail('required')
  return { 'certificate-check': check, 'trusted-certificates': readCertificates(trusted) }
}
