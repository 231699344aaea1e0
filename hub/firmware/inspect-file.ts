// Looks through a whole firmware file: what it is for, and whether it is what it claims to be.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { FILE_TYPE_ERROR, FORMAT_ERROR, VERIFY_FAILED } from '../../contract/codes.ts'
import type { FirmwareInfo } from '../../contract/firmware.ts'
import { infoOfHeader, infoOfName, MWF_HEAD_MAX, readMwfHead } from '../../contract/mwf.ts'

/** A file that is not taken: 21, 23 or 40. */
export class BadFile extends Error {
  readonly code: number
  constructor(code: number) {
    super(`firmware file: ${code}`)
    this.code = code
  }
}

/**
 * @param name what the file is called: of files without our header nothing else is known
 * @param expected SHA-256 that the sender says it has
 * @throws BadFile
 */
export async function checkFirmware(
  path: string,
  name: string,
  expected: string | undefined
): Promise<{ info: FirmwareInfo; sha256: string; size: number }> {
  const start = Buffer.alloc(MWF_HEAD_MAX)
  const file = await open(path)
  const { bytesRead } = await file.read(start, 0, MWF_HEAD_MAX, 0).finally(() => file.close())
  const head = readMwfHead(start.subarray(0, bytesRead))
  if (head === 'broken') throw new BadFile(FORMAT_ERROR)
  const info = head === 'foreign' ? infoOfName(name) : infoOfHeader(head.header)
  if (!info) throw new BadFile(FILE_TYPE_ERROR)
  const whole = createHash('sha256')
  const payload = createHash('sha256')
  let skip = head === 'foreign' ? 0 : head.length
  let size = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 256 << 10 })) {
    const bytes = chunk as Buffer
    size += bytes.length
    whole.update(bytes)
    payload.update(bytes.subarray(skip))
    skip = Math.max(0, skip - bytes.length)
  }
  const sha256 = whole.digest('hex')
  const damaged =
    head !== 'foreign' && (size - head.length !== head.header.size || payload.digest('hex') !== head.header.sha256)
  if (damaged || (expected !== undefined && expected !== sha256)) throw new BadFile(VERIFY_FAILED)
  return { info, sha256, size }
}
