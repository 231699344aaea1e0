// Results of an upload or an installation as codes of the common list (docs/wire.md, "Result codes").
import {
  DEVICE_BUSY,
  DEVICE_TYPE_ERROR,
  FILE_TYPE_ERROR,
  NO_SPACE,
  NOT_EXIST,
  SUCCESS,
  VERIFY_FAILED
} from '../../contract/codes.ts'
import type { UpgradeResult } from '../upgrade.ts'

export const UPGRADE_RESULT_CODES: Readonly<Record<UpgradeResult, number>> = {
  done: SUCCESS,
  already: DEVICE_BUSY,
  busy: DEVICE_BUSY,
  'bad-file': FILE_TYPE_ERROR,
  damaged: VERIFY_FAILED,
  'wrong-model': DEVICE_TYPE_ERROR,
  'no-space': NO_SPACE,
  'no-file': NOT_EXIST
}
