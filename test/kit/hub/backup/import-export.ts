// Exports and imports as a browser does.
import { applyImport, compareImport, type ExportPart, uploadImport } from '../../../../contract/backup/export.ts'
import { SUCCESS } from '../../../../contract/codes.ts'
import type { Client, TestHub } from '../hub.ts'

export async function downloadExport(admin: Client): Promise<Buffer> {
  const response = await admin.raw('GET', '/api/system/export')
  if (!response.headers.get('content-disposition')) throw new Error(await response.text())
  return Buffer.from(await response.arrayBuffer())
}

/** An export whose secrets are sealed with a passphrase. */
export const sealedExport = async (hub: TestHub, passphrase: string) =>
  (await hub.parts.backups.transfer.export(passphrase)).bytes

export async function upload(admin: Client, bytes: Buffer) {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(bytes)]), 'export.tar')
  const response = await admin.post(`/api${uploadImport.path}`, form)
  return (await response.json()) as ReturnType<NonNullable<typeof uploadImport.types>> & {
    result: number
    message?: string
  }
}

/** Uploads and compares. @throws if one of them fails */
export async function compare(admin: Client, bytes: Buffer, more: { passphrase?: string; parts?: ExportPart[] } = {}) {
  const uploaded = await upload(admin, bytes)
  const difference = await admin.send(compareImport, { id: uploaded.id, ...more })
  if (difference.result !== SUCCESS) throw new Error(JSON.stringify([uploaded, difference]))
  return { uploaded, difference }
}

/** Uploads, compares and imports. */
export async function importExport(admin: Client, bytes: Buffer, more: Parameters<typeof compare>[2] = {}) {
  const { uploaded, difference } = await compare(admin, bytes, more)
  const { result } = await admin.send(applyImport, { id: uploaded.id, digest: difference.digest })
  if (result !== SUCCESS) throw new Error(`Import: ${result}`)
  return difference
}
