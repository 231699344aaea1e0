// Result codes of refused updates.

import {
  AUTH_FAILED,
  DEVICE_TYPE_ERROR,
  FILE_TYPE_ERROR,
  INTERRUPTED,
  NEED_MORE_DATA,
  NO_SPACE,
  TIMEOUT,
  TOO_LARGE,
  UNKNOWN_ERROR,
  UNSUPPORTED,
  VERIFY_FAILED,
  WRITE_FAILED,
  WRONG_STATE
} from '../../contract/codes.ts'
import { FIRMWARE_SPACE_MIN } from '../../contract/firmware.ts'
import type { UpdateFault } from '../../contract/update.ts'
import { OverBudget, PackError } from '../../pack/pack-error.ts'
import { logger } from '../../process-log/logger.ts'
import { UploadRefused } from '../firmware/uploads.ts'

export const FAULT_RESULTS: Readonly<Record<UpdateFault, number>> = {
  'cut-short': NEED_MORE_DATA,
  'not-a-pack': FILE_TYPE_ERROR,
  'wrong-key': AUTH_FAILED,
  development: AUTH_FAILED,
  tampered: VERIFY_FAILED,
  format: UNSUPPORTED,
  'over-budget': TOO_LARGE,
  tool: UNSUPPORTED,
  'no-keys': WRONG_STATE,
  architecture: DEVICE_TYPE_ERROR,
  hardware: DEVICE_TYPE_ERROR,
  'no-releases': UNSUPPORTED,
  service: WRITE_FAILED,
  unconfirmed: TIMEOUT,
  interrupted: INTERRUPTED,
  damaged: VERIFY_FAILED
}

/** @param extra further fields of the response */
export const updateRefusal = (fault: UpdateFault, extra: object = {}) =>
  new UploadRefused(FAULT_RESULTS[fault], { 'update-fault': fault, ...extra })

/**
 * @param free bytes of the file system
 * @param need bytes that are going to be written
 * @throws UploadRefused if too little would stay free
 */
export function requireSpace(free: number, need: number): void {
  const keep = FIRMWARE_SPACE_MIN << 20
  if (free - need < keep) throw new UploadRefused(NO_SPACE, { 'free-size': free, 'need-size': need, 'keep-size': keep })
}

/** Converts an error of an upload to a refusal. Unexpected errors are logged, and refused with code 6. */
export function toUploadRefused(error: unknown): UploadRefused {
  if (error instanceof UploadRefused) return error.code === NEED_MORE_DATA ? updateRefusal('cut-short') : error
  if (error instanceof OverBudget) return updateRefusal('over-budget', error.line)
  if (error instanceof PackError) return updateRefusal(error.kind === 'other' ? 'format' : error.kind)
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return new UploadRefused(NO_SPACE)
  logger.error('Console update failed', error)
  return new UploadRefused(UNKNOWN_ERROR)
}
