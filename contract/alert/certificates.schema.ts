// Settings with which a destination of notifications checks the certificate of its TLS server, as inputs and outputs
// have them.
import { certificateCheck, trustedCertificateText } from '../stream/certificate-check.schema.ts'

export const SERVER_CERTIFICATES = {
  'certificate-check': certificateCheck.describe(
    'How the certificate of the server is checked. `verify` (default): by the authorities that the system of the hub trusts; `own-ca`: by `trusted-certificates` only; `accept-any`: not at all, so that anybody between the hub and the server can read the password'
  ),
  'trusted-certificates': trustedCertificateText.describe(
    '`own-ca`: certificates of authorities or of the server itself, in PEM'
  )
} as const
