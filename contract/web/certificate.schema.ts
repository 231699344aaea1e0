// Schemas of web/certificate.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { CA_KEY_ERROR, CA_LICENSE_ERROR, INVALID_ARG, NEED_MORE_DATA, REAUTHENTICATION_REQUIRED } from '../codes.ts'
import { emptyRequest } from '../fields.schema.ts'
import { HTTPS_STATES } from './certificate.ts'

export const HttpsState = z.enum(HTTPS_STATES)
/** A certificate of a chain. */
export const ChainLink = z.object({
  subject: z.string(),
  issuer: z.string(),
  'not-after': z.int().describe('Milliseconds since the epoch')
})
/** The certificate that browsers get. Times are in milliseconds since the epoch. */
export const CertificateInfo = z.object({
  'self-signed': z.boolean().describe('Whether the hub has made it itself'),
  names: z.array(z.string()).describe('Names and addresses for which it is valid'),
  subject: z.string(),
  issuer: z.string(),
  'not-before': z.number(),
  'not-after': z.number(),
  fingerprint: z.string().describe('SHA-256 in hex with colons, as browsers show it'),
  'key-pin': z
    .string()
    .describe(
      'SHA-256 of the public key in base64, by which devices can verify the hub. The hub keeps it when it renews its own certificate'
    ),
  chain: z.array(ChainLink).describe('The issuers that are sent with it, in their order'),
  trusted: z.boolean().describe("Whether the chain leads to an authority that the hub's machine trusts")
})

export type HttpsState = z.infer<typeof HttpsState>
export type ChainLink = z.infer<typeof ChainLink>
export type CertificateInfo = z.infer<typeof CertificateInfo>

export const certificateSchemas = {
  'POST /cert/upload': {
    summary:
      'Uploads a certificate, or a chain that begins with it: PEM in the part `file`, at most 64 KB. It is not used before `setSettings` names `filename` in the part `web`. -102 with `fault` for a file that is none.',
    operation: ['Upload certificate', '上传证书'],
    request: emptyRequest,
    requestNote: 'form with `file`: PEM, at most 64 KB, a certificate and its issuers in any order',
    response: z.object({
      filename: z.string()
    }),
    errors: {
      [CA_LICENSE_ERROR]: 'with `fault`',
      [INVALID_ARG]: '',
      [NEED_MORE_DATA]: '',
      [REAUTHENTICATION_REQUIRED]: ''
    },
    source: 'vendor; own: `fault`',
    examples: [{}]
  },
  'POST /cert/upload-key': {
    summary:
      'Uploads the private key of a certificate: PEM in the part `file`, at most 64 KB, not encrypted. -103 with `fault` for a file that is none.',
    operation: ['Upload private key', '上传私钥'],
    request: emptyRequest,
    requestNote: 'form with `file`: PEM, at most 64 KB, not encrypted',
    response: z.object({
      filename: z.string()
    }),
    errors: {
      [CA_KEY_ERROR]: 'with `fault`',
      [INVALID_ARG]: '',
      [NEED_MORE_DATA]: '',
      [REAUTHENTICATION_REQUIRED]: ''
    },
    source: 'vendor; own: `fault`',
    examples: [{}]
  }
} satisfies CallSchemas
