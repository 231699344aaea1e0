// What a refused update is answered with.
import {
  AUTH_FAILED,
  FILE_TYPE_ERROR,
  INTERRUPTED,
  NEED_MORE_DATA,
  NO_SPACE,
  TIMEOUT,
  TOO_LARGE,
  UNKNOWN_ERROR,
  UNSUPPORTED,
  VERIFY_FAILED,
  WRONG_STATE
} from '../../contract/codes.ts'
import type { UpdateFault } from '../../contract/update.ts'
import { Refusal } from '../../pack/refusal.ts'
import { UploadRefused } from '../firmware/uploads.ts'
import { OverBudget } from './staging.ts'

/** The result code of each fault. */
export const RESULTS: Readonly<Record<UpdateFault, number>> = {
  'cut-short': NEED_MORE_DATA,
  'not-a-pack': FILE_TYPE_ERROR,
  'wrong-key': AUTH_FAILED,
  development: AUTH_FAILED,
  tampered: VERIFY_FAILED,
  format: UNSUPPORTED,
  'over-budget': TOO_LARGE,
  tool: UNSUPPORTED,
  'no-keys': WRONG_STATE,
  unconfirmed: TIMEOUT,
  interrupted: INTERRUPTED,
  damaged: VERIFY_FAILED
}

/** @param extra numbers of it */
export const refused = (fault: UpdateFault, extra: object = {}) =>
  new UploadRefused(RESULTS[fault], { 'update-fault': fault, ...extra })

/** What a refused pack is refused with. */
export function reasonOf(error: unknown): UploadRefused {
  if (error instanceof UploadRefused) return error.code === NEED_MORE_DATA ? refused('cut-short') : error
  if (error instanceof OverBudget) return refused('over-budget', error.line)
  if (error instanceof Refusal) return refused(error.kind === 'other' ? 'format' : error.kind)
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return new UploadRefused(NO_SPACE)
  console.error('update:', error)
  return new UploadRefused(UNKNOWN_ERROR)
}
