// Certificates of the hub's own HTTPS (docs/wire.md, "HTTPS and certificates").
import { declareCall } from '../call.ts'

export type { CertificateInfo, ChainLink, HttpsState } from './certificate.schema.ts'

/** Days before its end from which a certificate counts as expiring. The hub then renews its own one. */
export const CERTIFICATE_WARNING_DAYS = 30

/**
 * - `disabled`: the hub serves HTTP only
 * - `self-signed`: HTTPS with the certificate that the hub made itself
 * - `enabled`: HTTPS with an uploaded certificate
 * - `expiring`, `expired`: HTTPS with an uploaded certificate that ends soon, or has ended
 * - `failed`: HTTPS is enabled, but its port is closed or there is no certificate
 */
export const HTTPS_STATES = ['disabled', 'self-signed', 'enabled', 'expiring', 'expired', 'failed'] as const

/** Faults with which -102 refuses a certificate. */
export const CERTIFICATE_FAULTS = [
  'certificate',
  'key-instead',
  'unreadable',
  'expired',
  'not-yet-valid',
  'chain',
  'no-name',
  'refused'
] as const
export type CertificateFault = (typeof CERTIFICATE_FAULTS)[number]

/** Faults with which -103 refuses a private key. */
export const KEY_FAULTS = ['private-key', 'certificate-instead', 'encrypted', 'unreadable', 'mismatch'] as const
export type KeyFault = (typeof KEY_FAULTS)[number]

export const uploadCertificate = declareCall('POST /cert/upload', 'admin', {
  body: 'form',
  reauthenticate: true
})

export const uploadCertificateKey = declareCall('POST /cert/upload-key', 'admin', {
  body: 'form',
  reauthenticate: true
})
