// Calls during a storage fault: which may use the disk reserve, and the result code of those that are refused.
import { changePassword, reauthenticate } from '../../contract/access/session.ts'
import type { Call } from '../../contract/call.ts'
import { NO_SPACE, READ_ONLY, WRITE_FAILED } from '../../contract/codes.ts'
import { addDownloadTicket } from '../../contract/file/download.ts'
import { setSettings } from '../../contract/settings.ts'
import type { StorageFault } from '../../contract/system.ts'

export const FAULT_CODES: Readonly<Record<StorageFault, number>> = {
  full: NO_SPACE,
  'read-only': READ_ONLY,
  failed: WRITE_FAILED
}

/** Last parts of the paths of calls that free space, or that end or switch something. */
const ESSENTIAL = new Set('login logout del clear end cancel stop pause drop enable route take undo lock'.split(' '))

/** `setSettings` shortens the logs, and a ticket saves a log or a backup elsewhere. */
const ESSENTIAL_CALLS: readonly Call[] = [
  changePassword as Call,
  reauthenticate as Call,
  setSettings as Call,
  addDownloadTicket as Call
]

/** Whether a call must be possible when the disk is full. */
export function isEssential(call: Call): boolean {
  return ESSENTIAL.has(call.path.slice(call.path.lastIndexOf('/') + 1)) || ESSENTIAL_CALLS.includes(call)
}
