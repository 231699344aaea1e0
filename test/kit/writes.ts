// Which calls change something, which their method alone does not say.
import { listDevicesBySerial } from '../../contract/device/device.ts'
import { uploadChunk } from '../../contract/firmware.ts'
import { clearPreview, setupPreview } from '../../contract/preview.ts'
import { drawQr } from '../../contract/qr.ts'

/** Calls by POST that leave no line in the log. A piece of an upload is no change of its own: its begin and its end are. */
export const READS_BY_POST: readonly unknown[] = [listDevicesBySerial, setupPreview, clearPreview, uploadChunk, drawQr]
