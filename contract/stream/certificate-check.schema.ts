// The settings with which an input or an output checks the certificate of its TLS server.
import * as z from 'zod'
import { own, textRule } from '../fields.schema.ts'
import { TRUSTED_CERTIFICATES_MAX } from '../limits.ts'
import { trustedCertificates } from '../rules/file.ts'
import { CERTIFICATE_CHECKS } from './certificate-check.ts'

export const certificateCheck = z
  .enum(CERTIFICATE_CHECKS)
  .optional()
  .meta(
    own(
      'How the certificate of a TLS server is checked. `verify`, the default: against the authorities that the system of the hub trusts; `own-ca`: against `trusted-certificates` only; `accept-any`: not at all, so that anybody between the hub and the server can take the stream and its key. Applies to RTMPS and HTTPS, and to HTTP servers that redirect to HTTPS. If absent in a write, the stored value is kept'
    )
  )

export const certificates = textRule((value) => (value === '' ? undefined : trustedCertificates(value)))
  .optional()
  .meta(
    own(
      `\`own-ca\`: the trusted certificates in PEM, of authorities or of the server itself, at most ${TRUSTED_CERTIFICATES_MAX} characters. Empty or absent: the stored ones are kept`
    )
  )
