// Inspects a complete firmware file: for which product it is, and whether it is undamaged.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { FILE_TYPE_ERROR, FORMAT_ERROR, VERIFY_FAILED } from '../../contract/codes.ts'
import type { FirmwareInfo } from '../../contract/firmware.ts'
import { firmwareInfoFromHeader, MWF_HEADER_MAX, parseFirmwareFileName, parseMwfHeader } from '../../contract/mwf.ts'

/** A file that is refused. `code` is 21 (invalid header), 23 (not firmware) or 40 (damaged). */
export class InvalidFirmwareFile extends Error {
  readonly code: number
  constructor(code: number) {
    super(`The firmware file is invalid: result code ${code}.`)
    this.code = code
  }
}

/**
 * @param name the file's name, which identifies the firmware if the file has no header
 * @param expected SHA-256 that the sender claims
 * @throws InvalidFirmwareFile
 */
export async function inspectFirmware(
  path: string,
  name: string,
  expected: string | undefined
): Promise<{ info: FirmwareInfo; sha256: string; size: number }> {
  const start = Buffer.alloc(MWF_HEADER_MAX)
  const file = await open(path)
  const { bytesRead } = await file.read(start, 0, MWF_HEADER_MAX, 0).finally(() => file.close())
  const head = parseMwfHeader(start.subarray(0, bytesRead))
  if (head === 'broken') throw new InvalidFirmwareFile(FORMAT_ERROR)
  const info = head === 'foreign' ? parseFirmwareFileName(name) : firmwareInfoFromHeader(head.header)
  if (!info) throw new InvalidFirmwareFile(FILE_TYPE_ERROR)
  const fileHash = createHash('sha256')
  const payloadHash = createHash('sha256')
  let skip = head === 'foreign' ? 0 : head.length
  let size = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 256 << 10 })) {
    const bytes = chunk as Buffer
    size += bytes.length
    fileHash.update(bytes)
    payloadHash.update(bytes.subarray(skip))
    skip = Math.max(0, skip - bytes.length)
  }
  const sha256 = fileHash.digest('hex')
  const isDamaged =
    head !== 'foreign' && (size - head.length !== head.header.size || payloadHash.digest('hex') !== head.header.sha256)
  if (isDamaged || (expected !== undefined && expected !== sha256)) throw new InvalidFirmwareFile(VERIFY_FAILED)
  return { info, sha256, size }
}
