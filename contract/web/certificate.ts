// Certificates of the hub's own HTTPS (docs/wire.md, "HTTPS and certificates").
import { SYSTEM_CONFIG_EDIT } from '../access/permissions.ts'
import { declareCall, type EmptyRequest } from '../call.ts'

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
export type HttpsState = (typeof HTTPS_STATES)[number]

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

/** A certificate of a chain. */
export interface ChainLink {
  subject: string
  issuer: string
  /** Milliseconds since the epoch. */
  'not-after': number
}

/** The certificate that browsers get. Times are in milliseconds since the epoch. */
export interface CertificateInfo {
  /** Whether the hub has made it itself. */
  'self-signed': boolean
  /** Names and addresses for which it is valid. */
  names: string[]
  subject: string
  issuer: string
  'not-before': number
  'not-after': number
  /** SHA-256 in hex with colons, as browsers show it. */
  fingerprint: string
  /** SHA-256 of the public key in base64, by which devices can verify the hub. The hub keeps it when it renews its own certificate. */
  'key-pin': string
  /** The issuers that are sent with it, in their order. */
  chain: ChainLink[]
  /** Whether the chain leads to an authority that the hub's machine trusts. */
  trusted: boolean
}

/**
 * Uploads a certificate, or a chain that begins with it: PEM in the part `file`, at most 64 KB. It is not used before `setSettings` names
 * `filename` in the part `web`. -102 with `fault` for a file that is none.
 */
export const uploadCertificate = declareCall<EmptyRequest, { filename: string }>(
  'POST',
  '/cert/upload',
  SYSTEM_CONFIG_EDIT,
  { body: 'form', reauthenticate: true }
)

/** Uploads the private key of a certificate: PEM in the part `file`, at most 64 KB, not encrypted. -103 with `fault` for a file that is none. */
export const uploadCertificateKey = declareCall<EmptyRequest, { filename: string }>(
  'POST',
  '/cert/upload-key',
  SYSTEM_CONFIG_EDIT,
  { body: 'form', reauthenticate: true }
)
