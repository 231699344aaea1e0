// POST calls that only read.
import { startSecondFactor } from '../../../contract/access/second-factor.ts'
import { checkPassword } from '../../../contract/access/session.ts'
import { testBackup } from '../../../contract/backup/backup.ts'
import { compareImport } from '../../../contract/backup/export.ts'
import { listDevicesBySerial } from '../../../contract/device/device.ts'
import { uploadChunk } from '../../../contract/firmware.ts'
import { clearPreview, setupPreview } from '../../../contract/preview.ts'
import { drawQr } from '../../../contract/qr.ts'

/**
 * POST calls without an entry in the operation log. A chunk of an upload has none; the start and the end of the upload
 * do.
 */
export const READS_BY_POST: readonly unknown[] = [
  listDevicesBySerial,
  compareImport,
  setupPreview,
  clearPreview,
  uploadChunk,
  drawQr,
  startSecondFactor,
  testBackup,
  checkPassword
]
