// The settings with which an input or output checks the certificate of its TLS server.
import * as z from 'zod'
import { own, textRule } from '../fields.schema.ts'
import { TRUSTED_CERTIFICATES_MAX } from '../limits.ts'
import { trustedCertificates } from '../rules/file.ts'
import { CERTIFICATE_CHECKS } from './certificate-check.ts'

export const certificateCheck = z.enum(CERTIFICATE_CHECKS).optional()
export const trustedCertificateText = textRule((value) =>
  value === '' ? undefined : trustedCertificates(value)
).optional()

const CHECK_TEXT =
  'How the certificate of a TLS server is checked. `verify`, the default: by the authorities that the system of the hub trusts; `own-ca`: by `trusted-certificates` only; `accept-any`: not at all, so that anybody between the hub and the server can take the stream and its key. If absent in a write, the stored value is kept'
const CERTIFICATES_TEXT = `\`own-ca\`: the trusted certificates, of authorities or of the server itself, in PEM, at most ${TRUSTED_CERTIFICATES_MAX} characters. Empty or absent in a write: the stored ones are kept`

/** For inputs over RTMPS, HTTPS and HTTP, because a server over HTTP can redirect to one over HTTPS. */
export const INPUT_CERTIFICATES = {
  'certificate-check': certificateCheck.describe(CHECK_TEXT),
  'trusted-certificates': trustedCertificateText.describe(CERTIFICATES_TEXT)
} as const
/** For outputs over RTMPS. */
export const OUTPUT_CERTIFICATES = {
  'certificate-check': certificateCheck.meta(own(`RTMPS. ${CHECK_TEXT}`)),
  'trusted-certificates': trustedCertificateText.meta(own(`RTMPS. ${CERTIFICATES_TEXT}`))
} as const
