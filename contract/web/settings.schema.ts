// Schemas of web/settings.
import * as z from 'zod'
import { CertificateInfo, HttpsState } from './certificate.schema.ts'

/** The part `web` as it is. A hub that does not listen has no ports. */
export const WebSettings = z.object({
  'http-port': z.int().optional(),
  'https-port': z.int().optional().describe('While HTTPS is off, the port that it will have'),
  'link-port': z.int().optional(),
  'files-port': z.int().optional(),
  'enable-https': z.boolean(),
  'redirect-http': z
    .boolean()
    .optional()
    .describe(
      'Whether pages are redirected from HTTP to HTTPS; calls below `/api` never are. On by default once a client on another machine has signed in over HTTPS with a trusted certificate'
    ),
  hsts: z.boolean().optional().describe('Whether the hub makes browsers use HTTPS only (Strict-Transport-Security)'),
  'can-hsts': z
    .boolean()
    .optional()
    .describe(
      'Whether `hsts` can be switched on: the chain leads to a trusted authority, and is valid for the name of this request'
    ),
  'https-state': HttpsState.optional(),
  'is-cert-valid': z.boolean().optional(),
  'is-cert-key-valid': z.boolean().optional(),
  'cert-path': z.string().optional().describe('Names of the uploaded files in use'),
  'cert-key-path': z.string().optional(),
  'cert-damaged': z
    .boolean()
    .optional()
    .describe('The certificate that the settings name cannot be used, and another one is'),
  certificate: CertificateInfo.optional()
})
/** A new port that has to be confirmed from a connection to it. */
export const TrialStart = z.object({
  port: z.int(),
  'confirm-within-s': z.number(),
  ticket: z
    .string()
    .optional()
    .describe(
      'Signs in at the new port of the console, which confirms it. Absent for access tokens, which call `confirmPort`'
    ),
  'confirm-path': z
    .string()
    .optional()
    .describe(
      'For the ports of registration and files: the path and query that confirm the port when they are requested from it'
    )
})

export type WebSettings = z.infer<typeof WebSettings>
export type TrialStart = z.infer<typeof TrialStart>
