// HTTPS and ports in the settings of the hub: the part `web` of `getSettings` and `setSettings` (docs/wire.md, "Settings").
import type { CertificateInfo, HttpsState } from './certificate.ts'

/** The part `web` as it is. A hub that does not listen has no ports. */
export interface WebSettings {
  'http-port'?: number
  'https-port'?: number
  'link-port'?: number
  'files-port'?: number
  'enable-https': boolean
  /** Whether requests over HTTP are redirected to HTTPS. */
  'redirect-http'?: boolean
  /** Whether the hub makes browsers use HTTPS only (Strict-Transport-Security). */
  hsts?: boolean
  /** Whether `hsts` can be switched on: the chain leads to a trusted authority, and is valid for the name of this request. */
  'can-hsts'?: boolean
  'https-state'?: HttpsState
  'is-cert-valid'?: boolean
  'is-cert-key-valid'?: boolean
  /** Names of the uploaded files in use. */
  'cert-path'?: string
  'cert-key-path'?: string
  /** The certificate that the settings name cannot be used, and another one is. */
  'cert-damaged'?: boolean
  certificate?: CertificateInfo
}

/** A change of the part `web`. Absent fields stay as they are. */
export interface WebRequest {
  'http-port'?: number
  'https-port'?: number
  'link-port'?: number
  'files-port'?: number
  'enable-https'?: boolean
  'redirect-http'?: boolean
  hsts?: boolean
  /** As returned by the uploads; both together. Both empty: the certificate that the hub makes itself. */
  'cert-filename'?: string
  'cert-key-filename'?: string
}

/** A new port that has to be confirmed from a connection to it. */
export interface TrialStart {
  port: number
  'confirm-within-s': number
  /** Signs in at the new port of the console, which confirms it. Absent for access tokens, which call `confirmPort`. */
  ticket?: string
  /** For the ports of registration and files: the path and query that confirm the port when they are requested from it. */
  'confirm-path'?: string
}

/** Faults with which 38 refuses a change of the part `web`. */
export const WEB_FAULTS = [
  'not-over-https',
  'not-trusted',
  'hsts-on',
  'hsts-port',
  'trial-open',
  'one-port',
  'privileged',
  'no-certificate'
] as const
export type WebFault = (typeof WEB_FAULTS)[number]
