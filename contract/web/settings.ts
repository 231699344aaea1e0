export type { TrialStart, WebSettings } from './settings.schema.ts'

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
