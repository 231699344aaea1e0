// Firmware files for demo devices, and functions to upload them.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Envelope, ResponseOf } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { finishUpload, startUpload, uploadChunk, uploadFirmware } from '../../../contract/firmware.ts'
import { type FirmwareSpec, firmwareFileName, writeFirmwareFile } from '../../../fleet/firmware-file.ts'
import { MODELS } from '../../../fleet/models.ts'
import type { Client } from './hub.ts'

export interface TestFile {
  name: string
  bytes: Buffer<ArrayBuffer>
}

/** Creates a firmware file for a model of the demo fleet. */
export function firmwareFile(
  model: keyof typeof MODELS,
  version: string,
  more: Partial<Pick<FirmwareSpec, 'size' | 'test'>> = {}
): TestFile {
  const spec = { model: MODELS[model], version, size: 100_000, ...more }
  const folder = mkdtempSync(join(tmpdir(), 'firmware-'))
  try {
    const path = join(folder, 'file')
    writeFirmwareFile(path, spec)
    return { name: firmwareFileName(spec), bytes: readFileSync(path) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Sends a chunk of an upload. @returns the hub's response */
export async function sendChunk(
  client: Pick<Client, 'post'>,
  upload: string,
  offset: number,
  body: BodyInit
): Promise<{ result: number; offset?: number }> {
  const path = `/api${uploadChunk.path}?upload=${upload}&offset=${offset}`
  const response = await client.post(path, body, { 'content-type': 'application/octet-stream' })
  return (await response.json()) as never
}

/** Uploads a file as form data. @returns the hub's response */
export async function uploadForm(
  client: Pick<Client, 'post'>,
  { name, bytes }: TestFile,
  field = 'file'
): Promise<ResponseOf<typeof uploadFirmware> & Envelope> {
  const form = new FormData()
  form.append('note', 'before the file')
  form.append(field, new Blob([bytes]), name)
  return (await client.post(`/api${uploadFirmware.path}`, form)).json() as never
}

/** Uploads a file in one chunk and adds it. @returns the firmware ID */
export async function uploadFile(client: Client, { name, bytes }: TestFile, force = false): Promise<number> {
  const { upload, result } = await client.send(startUpload, { name, size: bytes.length })
  if (result !== SUCCESS) throw new Error(`Starting the upload failed with result ${result}`)
  await sendChunk(client, upload, 0, bytes)
  const response = await client.send(finishUpload, { upload, add: true, force })
  if (response.result !== SUCCESS || response.id === undefined)
    throw new Error(`Finishing the upload failed with result ${response.result}`)
  return response.id
}
