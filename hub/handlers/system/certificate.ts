// Handlers for uploads of certificates and private keys (contract/web/certificate.ts).
import type { Call } from '../../../contract/call.ts'
import { CA_KEY_ERROR, CA_LICENSE_ERROR } from '../../../contract/codes.ts'
import { PEM_MAX } from '../../../contract/limits.ts'
import { uploadCertificate, uploadCertificateKey } from '../../../contract/web/certificate.ts'
import type { Certificates } from '../../../tls/certificates.ts'
import type { UploadKind } from '../../../tls/folder.ts'
import { CertificateError } from '../../../tls/identity.ts'
import { readFormFile } from '../../firmware/multipart-file.ts'
import { UploadRefused } from '../../firmware/uploads.ts'
import { CallError, type Context, type Handler, handlePreparedChange } from '../../http/handler.ts'

/** Converts the refusal of a certificate or key into a CallError. */
export function toCallError(error: unknown, fields: Readonly<Record<string, string>> = {}): unknown {
  if (error instanceof UploadRefused) return new CallError(error.code, error.extra)
  if (!(error instanceof CertificateError)) return error
  return new CallError(error.of === 'key' ? CA_KEY_ERROR : CA_LICENSE_ERROR, { fault: error.fault, ...fields })
}

/** Reads the file of a form as text. A longer one is no certificate and no key. */
async function readFile({ body }: Context, kind: UploadKind): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  await readFormFile(body?.body ?? null, body?.headers.get('content-type') ?? null, (_, source) =>
    source(async (bytes) => {
      size += bytes.length
      if (size > PEM_MAX)
        throw kind === 'key'
          ? new CertificateError('key', 'private-key')
          : new CertificateError('certificate', 'certificate')
      chunks.push(bytes)
    })
  )
  return Buffer.concat(chunks).toString('utf8')
}

function handleUpload(
  { certificates }: { certificates: Certificates },
  call: Call<object, { filename: string }>,
  kind: UploadKind
) {
  return handlePreparedChange(
    call,
    async (context) => {
      try {
        return certificates.addUpload(kind, await readFile(context, kind))
      } catch (error) {
        throw toCallError(error)
      }
    },
    (context, _, filename) => {
      context.detail = filename
      return { filename }
    }
  )
}

export function certificateHandlers(parts: { certificates: Certificates }): Handler[] {
  return [handleUpload(parts, uploadCertificate, 'cert'), handleUpload(parts, uploadCertificateKey, 'key')]
}
